import { fontFileFactsSchema, type LibraryFont, routes } from '@pdf2press/contract';
import type { Prisma } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { asCaller } from '../frame/context.ts';
import { notFound } from '../frame/errors.ts';
import { addFont } from './add-font.ts';

type Row = Prisma.FontGetPayload<object>;

/** A font as the API answers with it. */
export const fontOf = ({ id, facts, fileName, size, createdAt, createdBy, lastUsedAt }: Row): LibraryFont => ({
  ...fontFileFactsSchema.parse(facts),
  ...{ id, fileName, createdBy },
  size: Number(size),
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

/** Fonts with a text in one of their names. */
function found(search: string | undefined): Prisma.FontWhereInput {
  if (!search) return {};
  const contains = { contains: search, mode: 'insensitive' } as const;
  return { OR: [{ postScriptName: contains }, { fullName: contains }, { family: contains }, { fileName: contains }] };
}

export function bindFonts(bind: Bind, deps: ApiDeps): void {
  bind(routes.fonts.list, ({ caller, query }) =>
    asCaller(deps, caller, async (tx) => {
      const where = found(query.search);
      const rows = await tx.font.findMany({
        where,
        orderBy: [{ family: 'asc' }, { style: 'asc' }, { id: 'asc' }],
        skip: (query.page - 1) * query.pageSize,
        take: query.pageSize,
      });
      return {
        items: rows.map(fontOf),
        total: await tx.font.count({ where }),
        page: query.page,
        pageSize: query.pageSize,
      };
    }),
  );

  bind(routes.fonts.add, async (call) => fontOf(await addFont(deps, call)));

  bind(routes.fonts.remove, ({ caller, request, params: { id } }) =>
    asCaller(deps, caller, async (tx) => {
      const font = await tx.font.findUnique({ where: { id } });
      if (!font) throw notFound();
      await tx.font.delete({ where: { id }, select: { id: true } });
      await audit(tx, request, {
        act: 'font.remove',
        object: id,
        before: { name: font.postScriptName, fileName: font.fileName },
      });
      return {};
    }),
  );
}
