import { defaultRoles, featureKeys, permissions, systemSettingsSchema } from '@pdf2press/contract';
import { settingsRow } from '@pdf2press/engine';
import { newId, type Transaction } from '@pdf2press/prisma';

/** Makes a subscriber with its default roles, default settings and every feature of the plan. */
export async function createSubscriber(tx: Transaction, name: string): Promise<string> {
  const subscriberId = newId('subscriber');
  await tx.subscriber.create({ data: { id: subscriberId, name } });
  await tx.role.createMany({
    data: defaultRoles.map((role) => ({
      id: newId('role'),
      subscriberId,
      ...role,
      permissions: [...role.permissions],
    })),
  });
  await tx.feature.createMany({ data: featureKeys.map((featureKey) => ({ subscriberId, featureKey })) });
  const id = newId('systemSetting');
  const settings = systemSettingsSchema.parse({ id, subscriberId });
  await tx.systemSetting.create({ data: { id, subscriberId, ...settingsRow(settings) } });
  return subscriberId;
}

export interface NewAdministrator {
  subscriberId: string;
  email: string;
  /** Null: they choose one by the link of the activation e-mail. */
  passwordHash: string | null;
  firstName: string;
  lastName: string;
  locale: string;
}

/** The role of administrators; made where it is missing, so that a database that lost it can be set up all the same. */
async function administratorRole(tx: Transaction, subscriberId: string): Promise<string> {
  const known = await tx.role.findFirst({ where: { subscriberId, isStatic: true }, select: { id: true } });
  if (known) return known.id;
  const role = { name: 'Administrator', isStatic: true, isDefault: false, permissions: [...permissions] };
  const made = await tx.role.create({ data: { id: newId('role'), subscriberId, ...role }, select: { id: true } });
  return made.id;
}

/** Makes a user with the static Administrator role. */
export async function createAdministrator(tx: Transaction, person: NewAdministrator): Promise<string> {
  const { subscriberId } = person;
  const roleId = await administratorRole(tx, subscriberId);
  const id = newId('user');
  const email = person.email.toLowerCase();
  await tx.user.create({ data: { id, ...person, email, userName: email }, select: { id: true } });
  await tx.userRole.create({ data: { subscriberId, userId: id, roleId } });
  return id;
}
