import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import type { MessageFiles } from './messages.ts';
import zh from './messages.zh.json' with { type: 'json' };

/**
 * The words that all packages share. Beside the functions that make sentences, not with them: a child process that words a
 * problem of its own does without their 280 kB.
 */
export const contractMessages: MessageFiles = { en, zh, fr, es, pt, 'it-IT': it };
