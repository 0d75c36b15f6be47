import {
  approvalNeeds,
  type ClientFinding,
  decisionFormOf,
  detailsOf,
  type Locale,
  type ProofProfile,
  type SessionPage,
  type ShownProof,
  severitiesShown,
  severitiesToAccept,
  toPoints,
} from '@pdf2press/contract';
import { nameKey, namesIn, resolvePlaceholders } from '@pdf2press/settings';
import type { TFunction } from 'i18next';
import { type SampleBox, sampleFindings, samplePage } from '../demo/sample.ts';

/** What the form of a profile gives to its preview. */
export interface PreviewedProfile {
  settings: ProofProfile;
  /** The policy of the installation, for a profile without one of its own. */
  policy: NonNullable<ProofProfile['approvalPolicy']>;
  /** Whose proof it is, and how it looks. */
  house: ShownProof['house'];
  screen: PreviewedScreen;
}

/** The screens of a link that a preview can show. */
const previewedScreens = ['proof', 'copy', 'guarded', 'used'] as const;
export type PreviewedScreen = (typeof previewedScreens)[number];

/** The screens that readers of a profile come to see. */
export const screensOf = ({ allowDownload, linkProtection, isSingleUse }: ProofProfile): PreviewedScreen[] => {
  const has: Record<PreviewedScreen, boolean> = {
    proof: true,
    copy: allowDownload === 'lowResolution',
    guarded: linkProtection === 'code',
    used: isSingleUse,
  };
  return previewedScreens.filter((screen) => has[screen]);
};

const sampleName = 'A6.pdf';

/** A text with the values of the sample. A name whose value a sample does not have stands for itself. */
function filled(text: string, more: Readonly<Record<string, string>>, locale: Locale): string {
  const values = { 'file.name': sampleName, 'file.baseName': sampleName.replace(/[.]pdf$/, ''), ...more };
  const known = new Map(Object.entries(values).map(([name, value]) => [nameKey(name), value]));
  const facts = new Map(
    namesIn(text).map((name) => {
      const value = known.get(nameKey(name)) ?? `{${name}}`;
      return [nameKey(name), { type: 'String' as const, value }];
    }),
  );
  return resolvePlaceholders(text, facts, { locale, unit: 'Millimeters', timeZone: 'UTC' });
}

const nameOfHouse = ({ title, organization }: ShownProof['house']): string => organization?.name || title;

/** The words that are drawn into the copy of the sample file. */
export const sampleWatermark = ({ watermark }: ProofProfile, proof: ShownProof, locale: Locale): string =>
  filled(
    watermark,
    {
      'proof.version': String(proof.version),
      'org.name': nameOfHouse(proof.house),
      'recipient.name': proof.reader.name,
      'recipient.email': 'anna@example.com',
    },
    locale,
  );

const hour = 3_600_000;
const { width, height, bleed } = samplePage;
const points = (millimetres: number) => toPoints(millimetres, 'Millimeters');
const sheet = { width: points(width + 2 * bleed), height: points(height + 2 * bleed) };
/** Fine enough for every zoom that is of use. */
const sampleDpi = 300;

/** From millimetres below the upper left of the sheet to points above its lower left. */
const boxOf = ({ x, y, width: w, height: h }: SampleBox): [number, number, number, number] => [
  points(x),
  sheet.height - points(y + h),
  points(x + w),
  sheet.height - points(y),
];

const whole = boxOf({ x: 0, y: 0, width: width + 2 * bleed, height: height + 2 * bleed });
const trimmed = boxOf({ x: bleed, y: bleed, width, height });
/** Of the one tile that holds the page. */
export const samplePixels = {
  width: Math.round((sheet.width / 72) * sampleDpi),
  height: Math.round((sheet.height / 72) * sampleDpi),
};

/** The page of the sample file, an A6 flyer with bleed. */
export const samplePages: SessionPage[] = [
  {
    page: 1,
    label: null,
    widthPt: sheet.width,
    heightPt: sheet.height,
    rotate: 0,
    userUnit: 1,
    boxes: { media: whole, crop: whole, bleed: whole, trim: trimmed, art: trimmed },
    inks: [],
    levels: [{ dpi: sampleDpi, ...samplePixels, tile: Math.max(samplePixels.width, samplePixels.height) }],
    isReady: true,
  },
];

/** How each finding of the sample file is mended. */
const remedies = { resolution: 'picture-resolution', colour: 'cmyk', bleed: 'bleed' } as const;

/** What is left in the sample file after its fixes, as far as the profile shows it. Its newest preflight found an error. */
export function sampleClientFindings({ settings, policy }: PreviewedProfile, t: TFunction): ClientFinding[] {
  const toAccept = severitiesToAccept(settings.approvalPolicy ?? policy, 'Error');
  const shown = new Set([...severitiesShown(settings), ...toAccept]);
  return sampleFindings
    .filter(({ id, severity }) => id !== 'bleed' && shown.has(severity))
    .map(({ id, severity, box }) => ({
      id,
      severity,
      state: null,
      page: 1,
      pages: [1],
      boxes: [boxOf({ ...box, x: box.x + bleed, y: box.y + bleed })],
      sentence: t(`demo.finding.${id}`),
      count: 1,
      remedy: remedies[id],
      isToAccept: toAccept.includes(severity),
    }));
}

/** Who is asked, gatekeepers first; somebody at least, whose page it is. */
function recipientsOf({ approvers, mode }: ProofProfile): ShownProof['recipients'] {
  const inTurn = approvers.toSorted((one, other) => Number(other.isGatekeeper) - Number(one.isGatekeeper));
  const names = inTurn.map((one) => (one.kind === 'address' ? one.name || one.address : '…'));
  const isLater = (at: number) =>
    at > 0 && (inTurn[0]?.isGatekeeper ? inTurn[at]?.isGatekeeper !== true : mode === 'Sequence');
  return (names.length > 0 ? names : ['Anna Weber']).map((name, at) => ({
    name,
    isReader: at === 0,
    state: isLater(at) ? 'Waiting' : 'Asked',
    at: null,
  }));
}

/** The proof of the sample file as the readers of a profile see it. */
export function sampleClientProof(
  given: PreviewedProfile,
  { t, locale, now }: { t: TFunction; locale: Locale; now: number },
): ShownProof {
  const { settings, policy, house } = given;
  const findings = sampleClientFindings(given, t);
  const need = approvalNeeds[settings.approvalPolicy ?? policy].Error;
  const toAccept = findings.filter(({ isToAccept }) => isToAccept).length;
  const recipients = recipientsOf(settings);
  return {
    state: 'open',
    house,
    fileName: sampleName,
    sha256: '',
    version: 1,
    previousVersion: null,
    sheets: null,
    pageCount: 1,
    verdict: { level: 'Error', isChecked: true, sentence: t('demo.verdict') },
    counts: { Fail: 1, Warn: 1, Info: 0 },
    shows: { ...settings.show, download: settings.allowDownload, notes: settings.allowNotes },
    details: detailsOf(settings, locale).map(({ label, value }) => ({
      label,
      value: filled(value, { 'org.name': nameOfHouse(house) }, locale),
    })),
    reader: { name: recipients[0]?.name ?? '', email: '', locale },
    recipients,
    openedAt: new Date(now).toISOString(),
    dueAt: settings.deadlineHours === null ? null : new Date(now + settings.deadlineHours * hour).toISOString(),
    canReplaceFile: settings.allowReplaceFile,
    canNote: settings.allowNotes,
    canMark: settings.allowMarks,
    form: decisionFormOf(settings, need === 'acceptance' ? { need, count: toAccept, digest: '' } : { need }, locale),
    deciding: null,
    sharesGate: false,
    mine: null,
    decided: null,
  };
}
