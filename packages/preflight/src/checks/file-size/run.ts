import { checkRunner } from '../runner.ts';

export const fileSizeRunner = checkRunner<'FileSize'>()({
  document({ file, settings, report, pageCount }) {
    const { bytes } = file;
    const measured = { value: bytes, unit: 'bytes' } as const;
    if (bytes < settings.minBytes) {
      report({
        rule: 'tooSmall',
        objectType: 'document',
        measured,
        limit: { value: settings.minBytes, unit: 'bytes', op: '>=' },
      });
    }
    const limits = [
      ['Fail', settings.failAbove],
      ['Warn', settings.warnAbove],
    ] as const;
    for (const [severity, limit] of limits) {
      if (limit === null || bytes <= limit) continue;
      report({
        rule: 'tooLarge',
        severity,
        objectType: 'document',
        measured,
        limit: { value: limit, unit: 'bytes', op: '<=' },
      });
      break;
    }
    const perPage = Math.round(bytes / Math.max(1, pageCount));
    const average = settings.warnAbovePerPage;
    if (average !== null && perPage > average) {
      report({
        rule: 'pageAverage',
        objectType: 'document',
        measured: { value: perPage, unit: 'bytes' },
        limit: { value: average, unit: 'bytes', op: '<=' },
      });
    }
    return { bytes, perPage };
  },
});
