import { type SharedSettings, type SystemSettings, systemSettingsSchema } from '@pdf2press/contract';

type PathIn<T> = {
  [K in keyof T & string]: T[K] extends readonly unknown[] | string | number | boolean | null
    ? K
    : `${K}.${PathIn<T[K]>}`;
}[keyof T & string];

/** The parts of the settings that people set. */
type Parts = Omit<SystemSettings, 'id' | 'subscriberId' | 'installation'>;
/** A field of the settings: `smtpSettings.port`. */
export type SettingPath = PathIn<Parts>;

interface Setting {
  /** Message key of the field's label. */
  label: string;
  /** Of a secret and of a picture nobody reads the value: only that it changed. */
  isHidden?: true;
  /** Left empty, it is as the installation is: the message key that says so. */
  ofInstallation?: string;
  /** What stands behind a number. */
  suffix?: string;
}

/** Message key of the name of each part, which tells fields of the same label apart. */
const partNames = {
  isGlobal: 'settings.companies',
  culture: 'settings.region',
  timeZone: 'settings.region',
  measurementSettings: 'settings.region',
  showVersionNumber: 'settings.display',
  passwordSettings: 'settings.passwords',
  userSettings: 'settings.lockout',
  singleSignOnSettings: 'settings.signOn',
  smtpSettings: 'settings.smtp',
  mailSettings: 'settings.accountMails',
  proofApprovalSettings: 'settings.proofs',
  roiSettings: 'settings.savings',
  estimatedPrepressLaborCost: 'settings.savings',
  appearanceSettings: 'settings.appearance',
  houseSettings: 'settings.house',
  feedbackSettings: 'settings.feedback',
  noticeSettings: 'settings.noticeHook',
  archivingSettings: 'settings.archive',
} as const satisfies Record<keyof Parts, string>;

/** Every field of the settings, in the order in which changes are listed. */
export const settingTable: Record<SettingPath, Setting> = {
  isGlobal: { label: 'settings.isGlobal' },
  culture: { label: 'settings.culture' },
  timeZone: { label: 'settings.timeZone', ofInstallation: 'settings.timeZoneOfServer' },
  'measurementSettings.defaultUnit': { label: 'settings.unit' },
  showVersionNumber: { label: 'settings.showVersion' },
  'passwordSettings.useDefaultSettings': { label: 'settings.useDefault' },
  'passwordSettings.requiredLength': { label: 'settings.requiredLength' },
  'passwordSettings.requireDigit': { label: 'settings.requireDigit' },
  'passwordSettings.requireLowercase': { label: 'settings.requireLowercase' },
  'passwordSettings.requireUppercase': { label: 'settings.requireUppercase' },
  'passwordSettings.requireNonAlphanumeric': { label: 'settings.requireNonAlphanumeric' },
  'userSettings.enableUserLockout': { label: 'settings.enableLockout' },
  'userSettings.maxFailedLoginAttempts': { label: 'settings.maxFailed' },
  'userSettings.accountLockoutDurationInSeconds': { label: 'settings.lockoutSeconds', suffix: ' s' },
  'userSettings.sendActivationEmail': { label: 'settings.sendActivation' },
  'singleSignOnSettings.isOn': { label: 'settings.signOnOn' },
  'singleSignOnSettings.issuer': { label: 'settings.signOnIssuer' },
  'singleSignOnSettings.label': { label: 'settings.signOnLabel' },
  'singleSignOnSettings.clientId': { label: 'settings.signOnClientId' },
  'singleSignOnSettings.clientSecret': { label: 'settings.signOnSecret', isHidden: true },
  'singleSignOnSettings.allowedDomains': { label: 'settings.signOnDomains' },
  'singleSignOnSettings.defaultRoleId': { label: 'settings.signOnRole' },
  'singleSignOnSettings.linksAccounts': { label: 'settings.signOnLinks' },
  'smtpSettings.host': { label: 'settings.host', ofInstallation: 'settings.ofInstallation' },
  'smtpSettings.port': { label: 'settings.port' },
  'smtpSettings.username': { label: 'field.userName' },
  'smtpSettings.password': { label: 'field.password', isHidden: true },
  'smtpSettings.senderEmail': { label: 'settings.sender' },
  'smtpSettings.enableSsl': { label: 'settings.ssl' },
  'mailSettings.accountProfileId': { label: 'settings.accountProfile' },
  'proofApprovalSettings.defaultApprovalMode': { label: 'settings.approval' },
  'roiSettings.averagePrepressTime': { label: 'settings.averageTime' },
  'roiSettings.laborCostPerHour': { label: 'settings.laborCost' },
  estimatedPrepressLaborCost: { label: 'settings.costPerFile' },
  'appearanceSettings.theme': { label: 'customizer.theme' },
  'appearanceSettings.layout': { label: 'customizer.layout' },
  'appearanceSettings.contentWidth': { label: 'customizer.contentWidth' },
  'appearanceSettings.skin': { label: 'customizer.skin' },
  'appearanceSettings.primaryLight': { label: 'customizer.primaryLight' },
  'appearanceSettings.primaryDark': { label: 'customizer.primaryDark' },
  'houseSettings.name': { label: 'settings.houseName', ofInstallation: 'settings.ofInstallation' },
  'houseSettings.color': { label: 'settings.houseColor' },
  'houseSettings.logo': { label: 'settings.houseLogo', isHidden: true },
  'feedbackSettings.email': { label: 'field.email' },
  'noticeSettings.hook.url': { label: 'settings.noticeHookUrl' },
  'noticeSettings.hook.secret': { label: 'settings.noticeHookSecret', isHidden: true },
  'noticeSettings.hook.muted': { label: 'settings.noticeHookMuted' },
  'archivingSettings.enabled': { label: 'settings.archiveOn' },
  'archivingSettings.config.bucketName': { label: 'settings.bucket' },
  'archivingSettings.config.region': { label: 'settings.s3Region' },
  'archivingSettings.config.accessKey': { label: 'settings.accessKey' },
  'archivingSettings.config.secretKey': { label: 'settings.secretKey', isHidden: true },
  'archivingSettings.enableNotification': { label: 'settings.archiveNotify' },
  'archivingSettings.emailRecipient': { label: 'settings.archiveRecipient' },
};
const paths = Object.keys(settingTable) as SettingPath[];

/** Message key of the part that a field belongs to. */
export const partNameOf = (path: SettingPath): string => partNames[path.split('.')[0] as keyof Parts];

const valueAt = (settings: object, path: SettingPath): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], settings);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A field that changes; of what nobody reads, the values are left out. */
export interface SettingChange {
  path: SettingPath;
  values: { before: unknown; after: unknown } | null;
}

/** What saving `after` changes of `before`, field by field in the order of the table. */
export const changesOf = (before: Parts, after: Parts): SettingChange[] =>
  paths.flatMap((path) => {
    const [was, becomes] = [valueAt(before, path), valueAt(after, path)];
    if (isSame(was, becomes)) return [];
    return [{ path, values: settingTable[path].isHidden ? null : { before: was, after: becomes } }];
  });

const defaults = systemSettingsSchema.parse({ id: '', subscriberId: '' });
/** The value that holds where nobody in the house sets a field: the installation's, else the default. */
export const baseOf = (path: SettingPath, installation: SharedSettings | null): unknown =>
  valueAt(installation ?? {}, path) ?? valueAt(defaults, path);

/** Who a value comes from. */
export type Origin = 'default' | 'installation' | 'own';
export const originOf = (path: SettingPath, value: unknown, installation: SharedSettings | null): Origin => {
  if (!isSame(value, baseOf(path, installation))) return 'own';
  const isOfInstallation = settingTable[path].ofInstallation || !isSame(value, valueAt(defaults, path));
  return isOfInstallation ? 'installation' : 'default';
};
