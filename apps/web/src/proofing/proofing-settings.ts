import { approvalPolicies, type Locale, type ProofProfile, proofProfileSchema } from '@pdf2press/contract';
import { type FieldShape, shapeOf, withoutRuledOut } from '@pdf2press/ui';

type Group = Extract<FieldShape, { kind: 'group' }>;
type Settings = Record<string, unknown>;

/** Sections of the form in their order, with their settings. */
const sections = {
  people: ['approvers', 'mode', 'quorum', 'locale'],
  policy: [
    'approvalPolicy',
    'reportFilter',
    'allowDownload',
    'downloadDpi',
    'watermark',
    'show',
    'details',
    'allowNotes',
    'allowMarks',
  ],
  answer: [
    'pageLevel',
    'isNameRequired',
    'isEmailRequired',
    'isTitleRequired',
    'isSignatureRequired',
    'isReasonRequired',
    'commentMinLength',
    'reasons',
    'checkboxes',
    'legalText',
    'labels',
  ],
  time: ['deadlineHours', 'onDeadline', 'escalateTo', 'reminder'],
  link: ['linkProtection', 'isSingleUse', 'linkDays', 'decidedDays'],
  after: ['onDecline', 'allowReplaceFile'],
} as const satisfies Record<string, readonly (keyof ProofProfile)[]>;
export type SectionKey = keyof typeof sections;
export const sectionKeys = Object.keys(sections) as SectionKey[];

/** A row with one of its fields at the end. */
const withLast = (shape: FieldShape, name: string): FieldShape => {
  if (shape.kind !== 'rows' || shape.row.kind !== 'group') return shape;
  const { fields } = shape.row;
  const isLast = ([key]: (typeof fields)[number]) => key === name;
  return {
    ...shape,
    row: { ...shape.row, fields: [...fields.filter((one) => !isLast(one)), ...fields.filter(isLast)] },
  };
};

/**
 * Fields that the schema alone does not describe: a policy has two names, a quorum needs its mode, and who somebody is stands
 * before whether they are a gatekeeper.
 */
const described: Readonly<Record<string, (shape: FieldShape) => FieldShape>> = {
  approvalPolicy: () => ({ kind: 'choice', options: approvalPolicies, isOptional: true, initial: null }),
  approvers: (shape) => withLast(shape, 'isGatekeeper'),
  quorum: (shape) => ({ ...shape, appliesWhen: { mode: 'Quorum' } }),
};

const whole = shapeOf(proofProfileSchema);
const fields: Group['fields'] =
  whole.kind === 'group' ? whole.fields.map(([key, shape]) => [key, described[key]?.(shape) ?? shape] as const) : [];

/** The fields of a section. */
export const sectionShape = (section: SectionKey): Group => ({
  kind: 'group',
  fields: sections[section].flatMap((key) => fields.filter(([name]) => name === key)),
});

export const freshSettings = (): Settings => ({ ...proofProfileSchema.parse({}) });

/** Stored settings with the values of today for what they lack; unreadable ones stay as they are. */
export const settingsOfToday = (stored: Settings): Settings => {
  const read = proofProfileSchema.safeParse(stored);
  return read.success ? { ...read.data } : stored;
};

/** As they are saved: without the values of an approver's other kind. */
export const savedSettings = (settings: Settings): Settings =>
  withoutRuledOut({ kind: 'group', fields }, settings) as Settings;

const checked: Record<Locale, string> = {
  en: 'I have checked the texts, names, numbers and pictures of every page.',
  fr: 'J’ai vérifié les textes, noms, chiffres et images de chaque page.',
  es: 'He comprobado los textos, nombres, números e imágenes de cada página.',
  pt: 'Verifiquei os textos, nomes, números e imagens de cada página.',
  'it-IT': 'Ho verificato testi, nomi, numeri e immagini di ogni pagina.',
  zh: '我已核对每一页的文字、名称、数字和图片。',
};

/** Where a new profile can start: what differs from the values of the schema. */
const presets = {
  quick: { approvalPolicy: 'AlwaysApprove', reportFilter: 'Errors', isNameRequired: false, isReasonRequired: false },
  strict: {
    approvalPolicy: 'Decline',
    isTitleRequired: true,
    commentMinLength: 10,
    checkboxes: [{ id: 'checked', text: checked }],
    deadlineHours: 120,
    onDeadline: 'Hold',
  },
  twoSignatures: {
    approvalPolicy: 'ConfirmIfWarnOrError',
    mode: 'Sequence',
    isEmailRequired: true,
    isTitleRequired: true,
    checkboxes: [{ id: 'checked', text: checked }],
  },
  agency: {
    approvalPolicy: 'ConfirmIfError',
    allowDownload: 'production',
    show: { ...proofProfileSchema.parse({}).show, separations: true },
    onDecline: 'AskReplacement',
  },
} as const satisfies Record<string, Partial<ProofProfile>>;
export type PresetKey = keyof typeof presets;
export const presetKeys = Object.keys(presets) as PresetKey[];

/** The settings of a preset; whoever is asked stays. */
export const presetSettings = (key: PresetKey, { approvers }: Settings): Settings => ({
  ...proofProfileSchema.parse({ ...presets[key], approvers: approvers ?? [] }),
});
