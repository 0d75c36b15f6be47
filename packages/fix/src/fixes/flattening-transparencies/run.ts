import { type OperatorEvent, rewriteDocument } from '@pdf2press/pdf';
import { placeKey } from '../../editing/place-key.ts';
import { pruneResources } from '../../editing/prune-resources.ts';
import type { FixRunner } from '../../kind/runner.ts';
import { settleAnnotations } from './annotations.ts';
import type { flatteningTransparencies } from './contract.ts';
import { placePictures, renderRegions } from './pictures.ts';
import { planPages } from './plan-pages.ts';
import { removeTransparency } from './remove-transparency.ts';
import { type LiftedText, liftText } from './text-on-top.ts';
import { tintOverPaper } from './tint-over-paper.ts';

export const run: FixRunner<typeof flatteningTransparencies> = async (context) => {
  const { settings, file } = context;
  settleAnnotations(context);
  if (settings.mode === 'VectorWherePossible') tintOverPaper(context);
  let plans = planPages(context);
  if (plans.length === 0) return;
  const lifted =
    settings.preserveText && settings.mode !== 'RasterPage'
      ? liftText(context, new Map(plans.map(({ page, regions }) => [page.number, regions])))
      : new Map<number, LiftedText>();
  // Removing text changes the operator places, so pages are analysed again.
  if (lifted.size > 0) plans = planPages(context);
  const pictures = plans.filter((plan) => plan.regions.length > 0);
  const images = await renderRegions(context, pictures);
  const drops = new Map(pictures.flatMap((plan) => [...plan.drops]));
  if (drops.size > 0 && settings.mode !== 'RasterPage') {
    rewriteDocument(file, {
      pages: pictures.map((plan) => plan.page.number),
      annotations: false,
      operator: (event) => dropped(event, drops.get(placeKey(event.place))),
    });
  }
  for (const { plan, content } of images) placePictures(context, plan, content, lifted.get(plan.page.number) ?? null);
  context.edit.markChanged();
  removeTransparency(context, plans);
  pruneResources(context.edit);
};

/** Text becomes invisible and keeps its advance; a path keeps its clipping. */
function dropped({ place, state }: OperatorEvent, kind: 'text' | 'path' | 'drop' | undefined) {
  if (kind === undefined) return undefined;
  if (kind === 'text') return { before: '3 Tr\n', after: `\n${state.text.mode} Tr\n` };
  return { replace: kind === 'path' ? 'n' : '', ...(kind === 'drop' && place.op === 'BI' && { replace: '' }) };
}
