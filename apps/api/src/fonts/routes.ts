import { type FontSort, fontEmbeddings, fontFileFactsSchema, type LibraryFont, routes } from '@pdf2press/contract';
import { Prisma } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind, ReadQuery } from '../frame/bind.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { sendList } from '../frame/csv.ts';
import { notFound } from '../frame/errors.ts';
import { containsText, inOrder, type Order, sortedPage } from '../frame/sorted-page.ts';
import { addFont } from './add-font.ts';
import { fontColumns } from './csv.ts';

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
const fontRows = (search: string | undefined): Prisma.Sql => Prisma.sql`
  select id, full_name as name, family, style, facts, created_at, last_used_at from fonts
   where ${containsText(
     [Prisma.sql`post_script_name`, Prisma.sql`full_name`, Prisma.sql`family`, Prisma.sql`file_name`],
     search,
   )}`;

/** What the library is sorted by; the least that a maker allows stands last. */
const fontOrders: Record<FontSort, Order> = {
  name: { by: Prisma.sql`(listed.family, listed.style)` },
  licence: { by: Prisma.sql`array_position(${[...fontEmbeddings]}::text[], listed.facts ->> 'embedding')` },
  kind: { by: Prisma.sql`listed.facts ->> 'kind'` },
  letters: { by: Prisma.sql`(listed.facts ->> 'glyphCount')::int` },
  lastUsed: { by: Prisma.sql`listed.last_used_at` },
  added: { by: Prisma.sql`listed.created_at` },
};

/** A page of the library. */
const listFonts = (deps: ApiDeps, caller: Caller, query: ReadQuery<typeof routes.fonts.list>) =>
  asCaller(deps, caller, async (tx) => {
    const list = { rows: fontRows(query.search), order: fontOrders[query.sort] };
    const { ids, total } = await sortedPage(tx, list, query);
    const rows = inOrder(ids, await tx.font.findMany({ where: { id: { in: ids } } }));
    return { items: rows.map(fontOf), total, page: query.page, pageSize: query.pageSize };
  });

export function bindFonts(bind: Bind, deps: ApiDeps): void {
  bind(routes.fonts.list, ({ caller, query }) => listFonts(deps, caller, query));
  bind(routes.fonts.export, ({ caller, reply, query }) =>
    sendList(reply, {
      name: 'fonts',
      columns: fontColumns,
      read: async (page) => (await listFonts(deps, caller, { ...query, ...page })).items,
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
