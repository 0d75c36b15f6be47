import { FileFaultError } from '@pdf2press/contract/faults';
import { createColourService } from '../colour/colour-service.ts';
import { readProfileFacts } from '../colour/profile-facts.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isName, type PdfDict } from '../open/values.ts';

/**
 * The profile of the press that a file was made for: the CMYK profile in its output intents (ISO 32000-1, 14.11.5).
 * PDF/X output intents (ISO 15930) take precedence.
 * @returns null when there is none that colours can be converted to
 */
function pressProfileOf(file: PdfFile): Uint8Array | null {
  const intents = file.entry(file.catalog, 'OutputIntents');
  if (!isArray(intents)) return null;
  const dicts = intents
    .slice(0, 16)
    .map((intent) => file.resolve(intent))
    .filter(isDict);
  const isPdfX = (intent: PdfDict): boolean => isName(file.entry(intent, 'S'), 'GTS_PDFX');
  for (const intent of [...dicts.filter(isPdfX), ...dicts.filter((dict) => !isPdfX(dict))]) {
    const profile = profileIn(file, intent);
    if (profile) return profile;
  }
  return null;
}

function profileIn(file: PdfFile, intent: PdfDict): Uint8Array | null {
  const stream = file.entry(intent, 'DestOutputProfile');
  if (!isDict(stream) || stream.stream === 0 || file.entry(stream, 'N') !== 4) return null;
  try {
    const bytes = file.stream(stream.stream);
    const { model, isTarget } = readProfileFacts(bytes);
    return model === 'CMYK' && isTarget ? bytes : null;
  } catch (error) {
    // A broken profile is reported by its own check; it must not prevent plates.
    if (error instanceof FileFaultError && error.code === 'SETTINGS_INVALID') return null;
    throw error;
  }
}

/**
 * The same, after a test conversion. With a profile that has a valid header but broken tables, all converted colours
 * would be missing on the plates.
 * @returns null unless black becomes dark and white becomes paper
 */
export async function soundPressProfileOf(file: PdfFile): Promise<Uint8Array | null> {
  const profile = pressProfileOf(file);
  if (!profile) return null;
  const colour = await createColourService();
  try {
    const inkOf = (lightness: number): number =>
      colour.convert([lightness, 0, 0], { from: 'Lab', to: profile }).reduce((sum, ink) => sum + ink, 0);
    return inkOf(0) > 0.8 && inkOf(100) < 0.4 ? profile : null;
  } catch (error) {
    if (error instanceof FileFaultError && error.code === 'SETTINGS_INVALID') return null;
    throw error;
  } finally {
    colour.close();
  }
}
