import { outputIntents } from '../../reading/document-facts.ts';
import { matchesAny } from '../../reading/names.ts';
import { checkRunner, type FixHint } from '../runner.ts';

export const outputIntentRunner = checkRunner<'OutputIntent'>()({
  document({ file, settings, report }) {
    const intents = outputIntents(file);
    const fixableBy: FixHint = { action: 'ConvertToPdfX', params: { standard: 'None', replaceIntent: true } };
    if (intents.length === 0) report({ rule: 'missing', objectType: 'document', fixableBy });
    for (const intent of intents) {
      const name = intent.identifier || intent.condition;
      const about = { objectType: 'document' as const, params: { name, space: intent.profileSpace ?? '' }, fixableBy };
      if (intent.profileSpace !== null && intent.profileSpace !== 'CMYK') report({ ...about, rule: 'notCmyk' });
      if (intent.hasProfile && intent.profileSpace === null) report({ ...about, rule: 'brokenProfile' });
      if (!intent.hasProfile) report({ ...about, rule: 'noProfile' });
      const isAllowed =
        settings.allowed.length === 0 ||
        matchesAny(intent.identifier, settings.allowed) ||
        matchesAny(intent.condition, settings.allowed);
      if (!isAllowed) report({ ...about, rule: 'notAllowed', fixableBy: null });
    }
    const pdfx = intents.filter(({ subtype }) => subtype === 'GTS_PDFX');
    if (pdfx.length > 1)
      report({ rule: 'several', objectType: 'document', measured: { value: pdfx.length, unit: 'count' }, fixableBy });
    return { intents: intents.map((intent) => intent.identifier || intent.condition || intent.subtype) };
  },
});
