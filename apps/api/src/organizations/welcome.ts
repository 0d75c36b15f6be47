import { queueAccountMail } from '@pdf2press/engine';
import { storedAs, type Transaction } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import type { OrganizationOptions } from './read-organization.ts';

interface Membership {
  userId: string;
  organizationId: string;
}

/**
 * Welcomes new members by e-mail, in their language and in the look of the organization, where it wants that. Whoever
 * comes back to an organization is not welcomed again.
 */
export async function welcomeMembers(tx: Transaction, deps: ApiDeps, made: readonly Membership[]): Promise<void> {
  if (made.length === 0) return;
  const organizations = await tx.organization.findMany({
    where: { id: { in: made.map(({ organizationId }) => organizationId) }, deletedAt: null },
  });
  const users = await tx.user.findMany({
    where: { id: { in: made.map(({ userId }) => userId) }, isActive: true, deletedAt: null },
  });
  for (const { userId, organizationId } of made) {
    const reader = users.find(({ id }) => id === userId);
    const organization = organizations.find(({ id }) => id === organizationId);
    if (!reader || !organization) continue;
    const { name, color, emailLogoSha256, pageLogoSha256 } = organization;
    const { welcomesMembers, replyTo } = storedAs<Partial<OrganizationOptions>>(organization.options);
    if (!welcomesMembers) continue;
    const logo = emailLogoSha256 ?? pageLogoSha256;
    await queueAccountMail(
      tx,
      { deps: deps.engine, keys: deps.keys },
      {
        event: 'OrganisationWelcome',
        reader,
        link: { path: '/' },
        organization: { id: organizationId, name },
        cause: organizationId,
        sender: { brand: { name, color }, fromName: name, ...(logo && { logo }), ...(replyTo && { replyTo }) },
      },
    );
  }
}
