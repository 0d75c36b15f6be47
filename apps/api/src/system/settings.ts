import {
  type FeatureKey,
  type HostPermission,
  type Permission,
  problem,
  type SystemSettings,
  sharedParts,
  storedSecretMark,
} from '@pdf2press/contract';
import { actionSecretPurpose, readSettings, settingsRow } from '@pdf2press/engine';
import { keepSecret } from '@pdf2press/engine/secrets';
import { newId, type Transaction } from '@pdf2press/prisma';
import type { FastifyRequest } from 'fastify';
import { hostAdministrators } from '../auth/caller-cache.ts';
import type { ApiDeps } from '../deps.ts';
import { demand } from '../frame/access.ts';
import { audit } from '../frame/audit.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { InvalidRequestError } from '../frame/read-part.ts';
import { demandProfileOfAccounts } from '../profiles/account-mails.ts';
import { demandAboveAll, demandOwn } from '../roles/grants.ts';
import { clientSecretPurpose } from '../single-sign-on/trip.ts';

/** Each part of the settings and the permission that changing it takes. */
const partPermissions = {
  passwordSettings: 'settings.security.manage',
  userSettings: 'settings.security.manage',
  singleSignOnSettings: 'settings.security.manage',
  smtpSettings: 'settings.smtp.manage',
  mailSettings: 'settings.smtp.manage',
  archivingSettings: 'settings.archiving.manage',
  proofApprovalSettings: 'settings.general.manage',
  measurementSettings: 'settings.general.manage',
  roiSettings: 'settings.general.manage',
  estimatedPrepressLaborCost: 'settings.general.manage',
  appearanceSettings: 'settings.general.manage',
  culture: 'settings.general.manage',
  timeZone: 'settings.general.manage',
  showVersionNumber: 'settings.general.manage',
  houseSettings: 'settings.general.manage',
  feedbackSettings: 'settings.general.manage',
  noticeSettings: 'webhooks.manage',
} as const satisfies Partial<Record<keyof SystemSettings, Permission>>;
type Part = keyof typeof partPermissions;
const parts = Object.keys(partPermissions) as Part[];

/** Parts that only plans with a feature may change. */
const partFeatures: Partial<Record<Part, FeatureKey>> = { archivingSettings: 'Archiving' };

/** Parts by which somebody could become anybody else. */
const becomingParts = ['smtpSettings', 'mailSettings', 'singleSignOnSettings'] as const satisfies readonly Part[];

/** What it takes to set what holds for companies other than the own. */
const globalPermission: HostPermission = 'host.subscribers.manage';

/** @throws ProblemError `access.denied`, and `resource.conflict` where another company's settings are the global ones */
function demandGlobal(caller: Caller, before: SystemSettings, given: SystemSettings, changed: readonly Part[]): void {
  const isTouched = before.isGlobal && changed.some((part) => (sharedParts as readonly string[]).includes(part));
  if (!isTouched && given.isGlobal === before.isGlobal) return;
  if (!caller.hostPermissions.has(globalPermission)) throw problem('access.denied', { permission: globalPermission });
  if (given.isGlobal && before.installation) throw problem('resource.conflict');
}

const masked = (id: string | null) => (id ? storedSecretMark : null);

/** Settings as they are sent out: instead of a stored secret there is a placeholder, never its id or its text. */
const withMasks = (settings: SystemSettings): SystemSettings => ({
  ...settings,
  smtpSettings: { ...settings.smtpSettings, password: masked(settings.smtpSettings.password) },
  archivingSettings: {
    ...settings.archivingSettings,
    config: { ...settings.archivingSettings.config, secretKey: masked(settings.archivingSettings.config.secretKey) },
  },
  noticeSettings: {
    hook: { ...settings.noticeSettings.hook, secret: masked(settings.noticeSettings.hook.secret) },
  },
  singleSignOnSettings: {
    ...settings.singleSignOnSettings,
    clientSecret: masked(settings.singleSignOnSettings.clientSecret),
  },
});

export const maskedSettings = async (tx: Transaction, subscriberId: string): Promise<SystemSettings> =>
  withMasks(await readSettings(tx, subscriberId));

/** The placeholder keeps the stored secret, an empty text removes it, any other text replaces it. Resolves to the id to store. */
async function replaceSecret(
  tx: Transaction,
  deps: ApiDeps,
  {
    subscriberId,
    purpose,
    given,
    stored,
  }: { subscriberId: string; purpose: string; given: string | null; stored: string | null },
): Promise<string | null> {
  if (given === storedSecretMark) return stored;
  if (given) return keepSecret(tx, deps.keys, { subscriberId, purpose, text: given, id: stored ?? undefined });
  if (stored) await tx.secret.deleteMany({ where: { id: stored } });
  return null;
}

/** The role that new people get is granted by whoever sets it. @throws ProblemError `resource.notFound`, `access.denied` */
async function demandGrantable(
  tx: Transaction,
  caller: Caller,
  { defaultRoleId }: SystemSettings['singleSignOnSettings'],
): Promise<void> {
  if (defaultRoleId === '') return;
  const role = await tx.role.findFirst({ where: { id: defaultRoleId } });
  if (!role) throw problem('resource.notFound', {}, 'singleSignOnSettings.defaultRoleId');
  demandOwn(caller, role.permissions);
}

/** Stores whole settings, with ids instead of secrets, after checking the permission for every changed part. */
export async function saveSettings(
  deps: ApiDeps,
  caller: Caller,
  request: FastifyRequest,
  given: SystemSettings,
): Promise<SystemSettings> {
  const { subscriberId } = caller;
  const hosts = await deps.db.asHost(hostAdministrators);
  return asCaller(deps, caller, async (tx) => {
    const before = await readSettings(tx, subscriberId);
    const seen = withMasks(before);
    const changed = parts.filter((part) => JSON.stringify(given[part]) !== JSON.stringify(seen[part]));
    for (const part of changed) {
      demand(caller, partPermissions[part]);
      const feature = partFeatures[part];
      if (feature && !caller.features.has(feature)) throw problem('access.featureNotInPlan');
    }
    demandGlobal(caller, before, given, changed);
    // Whoever names the service where people sign in can become each of them, as whoever names the mail server, or who words the
    // messages with the links to choose a password.
    if (becomingParts.some((part) => changed.includes(part))) await demandAboveAll(tx, caller, hosts);
    if (changed.includes('mailSettings')) await demandProfileOfAccounts(tx, given.mailSettings.accountProfileId);
    if (changed.includes('singleSignOnSettings')) await demandGrantable(tx, caller, given.singleSignOnSettings);
    // Otherwise whoever may set the host could have the stored password sent to a host of their own.
    const hasNewHost = before.smtpSettings.password !== null && before.smtpSettings.host !== given.smtpSettings.host;
    if (hasNewHost && given.smtpSettings.password === storedSecretMark)
      throw new InvalidRequestError([{ code: 'value.required', field: 'smtpSettings.password' }]);
    const { singleSignOnSettings: signOn } = before;
    const hasNewIssuer = signOn.clientSecret !== null && signOn.issuer !== given.singleSignOnSettings.issuer;
    if (hasNewIssuer && given.singleSignOnSettings.clientSecret === storedSecretMark)
      throw new InvalidRequestError([{ code: 'value.required', field: 'singleSignOnSettings.clientSecret' }]);
    const clientSecret = await replaceSecret(tx, deps, {
      subscriberId,
      purpose: clientSecretPurpose,
      given: given.singleSignOnSettings.clientSecret,
      stored: signOn.clientSecret,
    });
    const smtpPassword = await replaceSecret(tx, deps, {
      subscriberId,
      purpose: 'smtp.password',
      given: given.smtpSettings.password,
      stored: before.smtpSettings.password,
    });
    const archivingKey = await replaceSecret(tx, deps, {
      subscriberId,
      purpose: 'archiving.secretKey',
      given: given.archivingSettings.config.secretKey,
      stored: before.archivingSettings.config.secretKey,
    });
    const hookSecret = await replaceSecret(tx, deps, {
      subscriberId,
      purpose: actionSecretPurpose,
      given: given.noticeSettings.hook.secret,
      stored: before.noticeSettings.hook.secret,
    });
    const row = settingsRow({
      ...given,
      // As they were seen: what was like the installation's then follows it.
      installation: given.isGlobal ? null : (given.installation ?? before.installation),
      smtpSettings: { ...given.smtpSettings, password: smtpPassword },
      archivingSettings: {
        ...given.archivingSettings,
        config: { ...given.archivingSettings.config, secretKey: archivingKey },
      },
      noticeSettings: { hook: { ...given.noticeSettings.hook, secret: hookSecret } },
      singleSignOnSettings: { ...given.singleSignOnSettings, clientSecret },
    });
    const id = before.id || newId('systemSetting');
    await tx.systemSetting.upsert({ where: { id }, create: { id, ...row }, update: row });
    await audit(tx, request, {
      act: 'settings.update',
      object: id,
      after: { parts: changed, isGlobal: given.isGlobal },
    });
    return maskedSettings(tx, subscriberId);
  });
}
