import { randomBytes } from 'node:crypto';
import { routes } from '@pdf2press/contract';
import { hashOf } from '../auth/tokens.ts';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { asCaller } from '../frame/context.ts';
import { sendList } from '../frame/csv.ts';
import { organizationColumns } from './csv.ts';
import { sendLogo, takeLogo } from './logos.ts';
import { readOwn } from './made-for.ts';
import {
  findOrganization,
  listOrganizations,
  organizationOf,
  readChoices,
  usageOfOrganization,
} from './read-organization.ts';
import { createOrganization, deleteOrganization, updateOrganization } from './write-organization.ts';

/** Bytes of the code of a private upload page: 128 bits cannot be guessed. */
const codeBytes = 16;

export function bindOrganizations(bind: Bind, deps: ApiDeps): void {
  const { organizations } = routes;

  bind(organizations.list, ({ caller, query }) =>
    asCaller(deps, caller, (tx) => listOrganizations(deps, tx, caller, query)),
  );
  bind(organizations.export, ({ caller, reply, query }) =>
    sendList(reply, {
      name: 'organizations',
      columns: organizationColumns,
      read: async (page) =>
        (await asCaller(deps, caller, (tx) => listOrganizations(deps, tx, caller, { ...query, ...page }))).items,
    }),
  );

  bind(organizations.own, ({ caller }) => asCaller(deps, caller, (tx) => readOwn(tx, caller)));

  bind(organizations.choices, ({ caller, query }) => asCaller(deps, caller, (tx) => readChoices(tx, query.id)));

  bind(organizations.get, ({ caller, params }) =>
    asCaller(deps, caller, async (tx) => organizationOf(deps, await findOrganization(tx, caller, params.id))),
  );

  bind(organizations.create, (call) => createOrganization(deps, call));
  bind(organizations.update, (call) => updateOrganization(deps, call.params.id, call));

  bind(organizations.usage, ({ caller, params }) =>
    asCaller(deps, caller, async (tx) => usageOfOrganization(tx, await findOrganization(tx, caller, params.id))),
  );

  bind(organizations.remove, async (call) => {
    await deleteOrganization(deps, call.params.id, call);
    return {};
  });

  bind(organizations.makeCode, ({ caller, request, params }) =>
    asCaller(deps, caller, async (tx) => {
      await findOrganization(tx, caller, params.id);
      // Whoever opened the page with the code before must not go on either.
      await tx.uploadVisit.deleteMany({ where: { organizationId: params.id } });
      const code = randomBytes(codeBytes).toString('base64url');
      await tx.organization.update({
        where: { id: params.id },
        data: { uploadCodeHash: hashOf(code) },
        select: { id: true },
      });
      await audit(tx, request, { act: 'organization.makeCode', object: params.id });
      return { code };
    }),
  );

  bind(organizations.removeCode, ({ caller, request, params }) =>
    asCaller(deps, caller, async (tx) => {
      await findOrganization(tx, caller, params.id);
      await tx.organization.update({ where: { id: params.id }, data: { uploadCodeHash: null }, select: { id: true } });
      await audit(tx, request, { act: 'organization.removeCode', object: params.id });
      return {};
    }),
  );

  bind(organizations.drawLogo, ({ caller, request }) => takeLogo(deps, caller, request));
  bind(organizations.logo, ({ reply, params }) => sendLogo(deps, reply, params.logo));
}
