import type { ProfileSummary } from '@pdf2press/contract';
import type { preflightProfileRoutes } from '@pdf2press/contract/calls';
import type { TFunction } from 'i18next';
import { call, saveBlob } from '../client/call.ts';
import { invalidate } from '../client/queries.ts';
import { notify } from '../frame/toasts.tsx';

type ProfileRoutes = Pick<typeof preflightProfileRoutes, 'list' | 'get' | 'create'>;

/** Saves a profile as the command line takes it by `--profile`, and as `importProfile` reads it. */
export async function exportProfile(
  routes: ProfileRoutes,
  kind: string,
  { id }: Pick<ProfileSummary, 'id'>,
): Promise<void> {
  try {
    const { name, description, settings: held } = await call(routes.get, { params: { id } });
    // A stored secret does not leave the server, and keys are no use without it.
    const { accessKey: _, secretKey: __, ...settings } = held;
    // The settings of an imposition profile contain no name: the file has it.
    const document = JSON.stringify(kind === 'impose' ? settings : { ...settings, name, description }, null, 2);
    saveBlob(new Blob([document], { type: 'application/json' }), `${name}.${kind}.json`);
  } catch (error) {
    notify.failure(error);
  }
}

/** Creates a profile from an exported file, for an organization where it is given; the server reports each invalid value. */
export async function importProfile(
  t: TFunction,
  routes: ProfileRoutes,
  file: File,
  organizationId?: string,
): Promise<void> {
  const document = asProfile(await file.text());
  if (!document) {
    notify.error(t('profiles.importInvalid'));
    return;
  }
  const { name, description, ...settings } = document;
  try {
    const made = await call(routes.create, {
      body: {
        name: typeof name === 'string' && name.trim() !== '' ? name : file.name.replace(/(\.\w+)?\.json$/i, ''),
        description: typeof description === 'string' ? description : '',
        ...(organizationId !== undefined && { organizationId }),
        settings,
      },
    });
    await invalidate(routes.list);
    notify.success(t('profiles.imported', { name: made.name }));
  } catch (error) {
    notify.failure(error);
  }
}

/** A JSON object; null for any other content, and for what the product exports besides profiles. */
function asProfile(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const isOther = 'format' in value && typeof value.format === 'string' && value.format.startsWith('pdf2press-');
    return isOther ? null : (value as Record<string, unknown>);
  } catch {
    return null;
  }
}
