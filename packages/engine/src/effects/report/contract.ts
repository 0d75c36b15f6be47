import { locales, reportFormats, units } from '@pdf2press/contract';
import { z } from 'zod';
import { defineEffect } from '../effect.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** A preflight report for people, in their language. */
export const reportEffect = defineEffect({
  kind: 'report',
  payload: z.object({
    /** The stored JSON report, and the PDF that it describes. */
    reportId: z.string(),
    pdfId: z.string(),
    format: z.enum(reportFormats).exclude(['Json']),
    locale: z.enum(locales),
    unit: z.enum(units),
    /** File name of the report. */
    name: z.string(),
  }),
  leaseMs: 600_000,
  patienceMs: 3_600_000,
  afterUnknown: 'repeat',
  isForTrials: true,
  words: { en, zh, fr, es, pt, 'it-IT': it },
});
