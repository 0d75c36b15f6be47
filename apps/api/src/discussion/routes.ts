import { personName, problem, routes, type SessionComment, type Teammate } from '@pdf2press/contract';
import { assigneeNames, assignSession, commentOn } from '@pdf2press/engine';
import { type Prisma, storedAs, type Transaction } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import type { Bind } from '../frame/bind.ts';
import { actorOf, type Caller, contextOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { found } from '../frame/rows.ts';

/** The newest comments are listed, up to this many; far more than people write about one file. */
const mostComments = 500;

const seesSessions = { permissions: { has: 'sessions.view' } } as const satisfies Prisma.RoleWhereInput;

async function readTeam(tx: Transaction): Promise<Teammate[]> {
  const people = await tx.user.findMany({
    where: { isActive: true, deletedAt: null, userRoles: { some: { role: seesSessions } } },
    select: { id: true, firstName: true, lastName: true, email: true },
    orderBy: [{ firstName: 'asc' }, { lastName: 'asc' }, { id: 'asc' }],
  });
  const roles = await tx.role.findMany({ where: seesSessions, orderBy: { name: 'asc' } });
  return [
    ...people.map((person): Teammate => ({ id: person.id, name: personName(person), kind: 'person' })),
    ...roles.map(({ id, name }): Teammate => ({ id, name, kind: 'role' })),
  ];
}

async function readComments(
  tx: Transaction,
  caller: Caller,
  where: Prisma.SessionCommentWhereInput,
): Promise<SessionComment[]> {
  const newestFirst = await tx.sessionComment.findMany({ where, orderBy: { id: 'desc' }, take: mostComments });
  const rows = newestFirst.reverse();
  const names = await assigneeNames(tx, [...new Set(rows.flatMap(({ mentions }) => mentions))]);
  return rows.map((row) => {
    const author = storedAs<{ id?: string; name: string }>(row.author);
    return {
      id: row.id,
      author: author.name,
      isOwn: author.id === caller.id,
      text: row.text,
      mentions: row.mentions.map((id) => ({ id, name: names.get(id) ?? null })),
      at: row.createdAt.toISOString(),
    };
  });
}

export function bindDiscussion(bind: Bind, deps: ApiDeps): void {
  const { discussion } = routes;

  bind(discussion.team, ({ caller }) => asCaller(deps, caller, readTeam));

  bind(discussion.comments, ({ caller, params }) =>
    asCaller(deps, caller, async (tx) => {
      found(await tx.session.findFirst({ where: { id: params.id }, select: { id: true } }));
      return readComments(tx, caller, { sessionId: params.id });
    }),
  );

  bind(discussion.comment, async ({ caller, params, body }) => {
    const said = { sessionId: params.id, by: actorOf(caller), ...body };
    const id = await commentOn(deps.engine, contextOf(caller), said);
    const [comment] = await asCaller(deps, caller, (tx) => readComments(tx, caller, { id }));
    if (!comment) throw problem('resource.notFound');
    return comment;
  });

  bind(discussion.assign, async ({ caller, params, body: { assigneeId } }) => {
    await assignSession(deps.engine, contextOf(caller), { sessionId: params.id, by: actorOf(caller), assigneeId });
    if (assigneeId === null) return { assignee: null };
    const names = await asCaller(deps, caller, (tx) => assigneeNames(tx, [assigneeId]));
    return { assignee: { id: assigneeId, name: names.get(assigneeId) ?? null } };
  });
}
