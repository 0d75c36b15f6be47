import type { OrganizationSummary } from '@pdf2press/contract';
import { organizationRoutes } from '@pdf2press/contract/calls';
import type { TFunction } from 'i18next';
import { call } from '../client/call.ts';
import { confirm } from '../frame/confirm.ts';

/** So many names are told; the rest is a number. */
const mostNames = 5;

/** Names what is unassigned, asks, and deletes. Resolves to whether it was deleted. @throws CallError */
export async function deleteOrganization(t: TFunction, { id, name }: Pick<OrganizationSummary, 'id' | 'name'>) {
  const usage = await call(organizationRoutes.usage, { params: { id } });
  const named = (key: string, names: readonly string[]) =>
    names.length === 0
      ? []
      : [
          t(`organizations.usage.${key}`, {
            count: names.length,
            names: [
              ...names.slice(0, mostNames),
              ...(names.length > mostNames ? [t('organizations.more', { count: names.length - mostNames })] : []),
            ].join(', '),
          }),
        ];
  const points = [
    ...named('members', usage.members),
    ...named('stranded', usage.stranded),
    ...named('workflows', usage.workflows),
    ...named('profiles', usage.profiles),
    ...(usage.sessions > 0 ? [t('organizations.usage.sessions', { count: usage.sessions })] : []),
  ];
  const isSure = await confirm({
    title: t('organizations.deleteTitle', { name }),
    text: t('organizations.deleteText'),
    points,
    act: t('common.delete'),
    isDangerous: true,
    ...(points.length > 0 ? { typed: name } : {}),
  });
  if (isSure) await call(organizationRoutes.remove, { params: { id } });
  return isSure;
}
