import { contractMessages, type ErrorParams, type Locale, sentence } from '@pdf2press/contract';

/** Where one file of several cannot be read, what is wrong with it has a sentence of its own within that of the fault. */
export const saidReason = (locale: Locale, code: string, params: ErrorParams): ErrorParams =>
  code === 'MERGE_FILE' ? { reason: sentence(contractMessages, locale, String(params.reason), params) } : {};
