import { interpretPage, type PageFacts, wrapContent } from '@pdf2press/pdf';
import { changeable } from '../frame/boxes.ts';
import { isPageTreeSound, rebuildPageTree } from '../frame/page-tree.ts';
import type { FixContext, FixRunner } from '../runner.ts';

export const run: FixRunner<'Repair'> = (context) => {
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
  // A tree that miscounts shows other pages to every reader; where it cannot be read at all, its pages have no objects yet.
  if (!isPageTreeSound(file)) {
    const pages = file.pages.map(({ number }) => ({ number }));
    rebuildPageTree(edit, pages);
    log({ what: 'pageTree', before: null, after: String(pages.length), count: pages.length, parameter: 'rewrite' });
  }
  if (settings.balanceContent)
    for (const page of changeable(context.pages.map((number) => file.pageNow(number)))) balance(context, page);
};

/** Closes what a page's content leaves open and drops restores of nothing, so that what comes after it starts clean. */
function balance({ file, edit, log }: FixContext<'Repair'>, page: PageFacts): void {
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
