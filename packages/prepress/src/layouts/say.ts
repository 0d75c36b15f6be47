import {
  formatLength,
  type ImposeLayout,
  type Locale,
  type MessageFiles,
  type PlanProblem,
  sentence,
  type Unit,
} from '@pdf2press/contract';
import { messages as barcode } from '../marks/barcode/messages.ts';
import { messages as centre } from '../marks/centre/messages.ts';
import { messages as collation } from '../marks/collation/messages.ts';
import { messages as colorBar } from '../marks/color-bar/messages.ts';
import { messages as crop } from '../marks/crop/messages.ts';
import { messages as cutLine } from '../marks/cut-line/messages.ts';
import { messages as cutterDots } from '../marks/cutter-dots/messages.ts';
import { messages as dieLine } from '../marks/die-line/messages.ts';
import { messages as fold } from '../marks/fold/messages.ts';
import { messages as grayBar } from '../marks/gray-bar/messages.ts';
import type { marks } from '../marks/marks.ts';
import { messages as registration } from '../marks/registration/messages.ts';
import { messages as sideLay } from '../marks/side-lay/messages.ts';
import { messages as slug } from '../marks/slug/messages.ts';
import { messages as acrossDown } from './across-down/messages.ts';
import { messages as cutAndStack } from './cut-and-stack/messages.ts';
import { messages as dieCut } from './die-cut/messages.ts';
import { messages as downAcross } from './down-across/messages.ts';
import { messages } from './messages.ts';
import { messages as perfectBound } from './perfect-bound/messages.ts';
import { lengthParams } from './problems.ts';
import { messages as saddleStitch } from './saddle-stitch/messages.ts';
import { messages as stepNRepeat } from './step-n-repeat/messages.ts';

/** `label`, `help` and `field.<setting>` of each layout; settings that all layouts share are in `imposeMessages`. */
export const layoutMessages: { readonly [K in ImposeLayout]: MessageFiles } = {
  StepNRepeat: stepNRepeat,
  CutAndStack: cutAndStack,
  SaddleStitch: saddleStitch,
  DieCut: dieCut,
  AcrossDown: acrossDown,
  DownAcross: downAcross,
  PerfectBound: perfectBound,
};

/** `label` and `field.<setting>` of each mark, by its key among the settings. */
export const markMessages: { readonly [K in keyof typeof marks]: MessageFiles } = {
  crop,
  fold,
  sideLay,
  cutterDots,
  registration,
  colorBar,
  grayBar,
  centre,
  slug,
  collation,
  barcode,
  cutLine,
  dieLine,
};

/** Problems by their code, and `field.<setting>` for what all layouts ask. */
export const imposeMessages = messages;

/** A problem as a sentence; its lengths in the reader's unit. */
export function problemSentence({ code, params }: PlanProblem, locale: Locale, unit: Unit): string {
  const shown = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'number' && lengthParams.has(name) ? formatLength(value, unit, locale) : value,
  ]);
  return sentence(messages, locale, code, Object.fromEntries(shown)).trim();
}

/** The name of a setting as a form shows it: the layouts share most, marks and layouts have their own. */
function settingLabel(field: string, locale: Locale): string {
  const [area, mark = '', ...rest] = field.split('.');
  const ofMark =
    area === 'marks' && Object.hasOwn(markMessages, mark) ? markMessages[mark as keyof typeof markMessages] : null;
  if (ofMark) return [ofMark[locale].label, ofMark[locale][`field.${rest.join('.')}`]].filter(Boolean).join(', ');
  const files = [messages, ...Object.values(layoutMessages)];
  return files.map((file) => file[locale][`field.${field}`]).find(Boolean) ?? field;
}

/**
 * Why a workflow's step made no sheets, from the parameters of its fault: the setting to look at, and the problem with
 * its lengths in the reader's unit.
 */
export function refusalSentence(fault: Readonly<Record<string, unknown>>, locale: Locale, unit: Unit): string {
  const { problem, field, ...rest } = fault;
  const params = Object.fromEntries(
    Object.entries(rest).filter((entry): entry is [string, string | number] =>
      ['string', 'number'].includes(typeof entry[1]),
    ),
  );
  const said = problemSentence({ code: String(problem), severity: 'Fail', field: String(field), params }, locale, unit);
  return `${settingLabel(String(field), locale)}: ${said}`;
}
