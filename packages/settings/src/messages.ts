import type { MessageFiles } from '@pdf2press/contract';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** What the predefined variables, the formats and the operators are called: `variable.<name>`, `format.<name>`, `operator.<name>`. */
export const settingsMessages: MessageFiles = { en, zh, fr, es, pt, 'it-IT': it };
