import { interpretPage, type PageFacts, wrapContent } from '@pdf2press/pdf';
import { changeable } from '../../editing/boxes.ts';
import { isPageTreeSound, rebuildPageTree } from '../../editing/page-tree.ts';
import type { FixContext, FixRunner } from '../../kind/runner.ts';
import type { repair } from './contract.ts';

export const run: FixRunner<typeof repair> = (context) => {
  const { settings, file, edit, log } = context;
  if (settings.rewrite === 'Always' || file.isRepaired) {
    edit.markChanged();
    log({
      what: file.isRepaired ? 'rebuilt' : 'rewritten',
      before: file.structure.problems.join(', ') || null,
      after: null,
      parameter: 'rewrite',
    });
  }
  if (settings.removeEncryption && file.encryption) {
    edit.markChanged();
    log({ what: 'decrypted', before: file.encryption.method, after: null, parameter: 'removeEncryption' });
  }
  // Readers show different pages for a page tree with wrong counts; pages of an unreadable tree have no objects yet.
  if (!isPageTreeSound(file)) {
    const pages = file.pages.map(({ number }) => ({ number }));
    rebuildPageTree(edit, pages);
    log({ what: 'pageTree', before: null, after: String(pages.length), count: pages.length, parameter: 'rewrite' });
  }
  if (settings.balanceContent)
    for (const page of changeable(context.pages.map((number) => file.pageNow(number)))) balance(context, page);
};

/** Balances q and Q in the page content, so that content added afterwards starts with the initial graphics state. */
function balance({ file, edit, log }: FixContext<typeof repair>, page: PageFacts): void {
  const open = { save: 0, restore: 0 };
  interpretPage(
    file,
    page.number,
    [
      {
        syntax({ code, place, params }) {
          if (place.run.kind !== 'page') return;
          if (code === 'save.unmatched') open.save += Number(params.count ?? 1);
          if (code === 'restore.unmatched') open.restore += 1;
        },
      },
    ],
    { annotations: false, type3: false, patterns: false, softMasks: false },
  );
  if (open.save + open.restore === 0) return;
  wrapContent(edit, page, { before: '', after: '' });
  log({
    what: 'balanced',
    page: page.number,
    before: `q ${open.save}, Q ${open.restore}`,
    after: null,
    count: open.save + open.restore,
    parameter: 'balanceContent',
  });
}
