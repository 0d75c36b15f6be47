import type { Profile } from '@pdf2press/contract';
import { workflowRoutes } from '@pdf2press/contract/calls';
import type { TFunction } from 'i18next';
import { call } from '../client/call.ts';
import { invalidate } from '../client/queries.ts';
import { confirm } from '../frame/confirm.ts';
import { notify } from '../frame/toasts.tsx';

/**
 * Asks whether the workflows that use a saved profile are published again: a published workflow keeps the settings that it
 * was published with. A workflow whose draft has other changes is not asked about, because they would go live, too.
 */
export async function offerPublishing(t: TFunction, { name, usedBy }: Profile): Promise<void> {
  try {
    const using = await Promise.all(usedBy.map(({ id }) => call(workflowRoutes.get, { params: { id } })));
    const ready = using.filter(
      ({ publishedVersion, hasUnpublishedChanges, isEnabled }) =>
        publishedVersion !== null && !hasUnpublishedChanges && isEnabled,
    );
    if (ready.length === 0) return;
    const isSure = await confirm({
      title: t('profiles.publishTitle', { name }),
      text: t('profiles.publishText', { workflows: ready.map((workflow) => workflow.name).join(', ') }),
      act: t('profiles.publish'),
    });
    if (!isSure) return;
    for (const { id } of ready) await call(workflowRoutes.publish, { params: { id } });
    await invalidate(workflowRoutes.list, workflowRoutes.get);
    notify.success(t('profiles.published', { count: ready.length }));
  } catch (error) {
    notify.failure(error);
  }
}
