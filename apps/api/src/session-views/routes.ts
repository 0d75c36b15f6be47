import { personName, problem, routes, type SessionView } from '@pdf2press/contract';
import { newId, type Prisma } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import { demand } from '../frame/access.ts';
import type { Bind } from '../frame/bind.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { found } from '../frame/rows.ts';

const shown = {
  owner: { select: { firstName: true, lastName: true, email: true } },
} as const;
type Row = Prisma.SessionViewGetPayload<{ include: typeof shown }>;

const viewOf = (caller: Caller, { id, name, question, sharedWith, ownerId, owner }: Row): SessionView => ({
  id,
  name,
  question,
  sharedWith,
  isOwn: ownerId === caller.userId,
  owner: personName(owner),
});

/** Own views and those shared with the caller. A key or an embedded page has no views of its own. */
const visibleTo = (caller: Caller): Prisma.SessionViewWhereInput =>
  caller.kind === 'user'
    ? {
        OR: [{ ownerId: caller.id }, { sharedWith: { in: ['everybody', ...caller.roleIds] } }],
      }
    : { sharedWith: { in: [] } };

const demandPerson = ({ kind, id }: Caller): string => {
  if (kind !== 'user') throw problem('access.denied');
  return id;
};

export function bindSessionViews(bind: Bind, deps: ApiDeps): void {
  const { sessionViews } = routes;

  bind(sessionViews.list, ({ caller }) =>
    asCaller(deps, caller, async (tx) => {
      const rows = await tx.sessionView.findMany({
        where: visibleTo(caller),
        include: shown,
        orderBy: { id: 'asc' },
      });
      return rows.map((row) => viewOf(caller, row));
    }),
  );

  bind(sessionViews.save, async ({ caller, body: { name, question, sharedWith } }) => {
    const ownerId = demandPerson(caller);
    if (sharedWith !== null) demand(caller, 'sessions.discuss');
    return asCaller(deps, caller, async (tx) => {
      const isShareable =
        sharedWith === null || sharedWith === 'everybody' || (await tx.role.count({ where: { id: sharedWith } })) > 0;
      if (!isShareable) throw problem('request.invalid', {}, 'sharedWith');
      const known = await tx.sessionView.findFirst({
        where: { ownerId, name },
        select: { id: true },
      });
      const id = known?.id ?? newId('sessionView');
      if (known)
        await tx.sessionView.updateMany({
          where: { id },
          data: { question, sharedWith },
        });
      else
        await tx.sessionView.createMany({
          data: { id, ownerId, name, question, sharedWith },
          skipDuplicates: true,
        });
      return viewOf(
        caller,
        found(
          await tx.sessionView.findFirst({
            where: { ownerId, name },
            include: shown,
          }),
        ),
      );
    });
  });

  bind(sessionViews.remove, async ({ caller, params }) => {
    const ownerId = demandPerson(caller);
    const { count } = await asCaller(deps, caller, (tx) =>
      tx.sessionView.deleteMany({ where: { id: params.id, ownerId } }),
    );
    found(count === 1 ? true : null);
    return {};
  });
}
