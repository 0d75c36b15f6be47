import type { Profile } from '@pdf2press/contract';
import { useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import type { FormAction } from '../frame/form-action.ts';
import { notify } from '../frame/toasts.tsx';
import type { ProfileRoutes } from './profiles-screen.tsx';

export interface ProfileValues {
  name: string;
  description: string;
  settings: Record<string, unknown>;
}

/** Loading, saving and leaving of a profile form; the settings inside are the kind's own. */
export function useProfileForm({
  action,
  id,
  path,
  routes,
  initial,
  today = asStored,
}: {
  action: FormAction;
  id: string | undefined;
  path: string;
  routes: ProfileRoutes;
  initial: () => Record<string, unknown>;
  /** Stored settings in the shape of today: those of an older version are brought up to it. */
  today?: (stored: Record<string, unknown>) => Record<string, unknown>;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isNew = action === 'new';
  const query = useCall(routes.get, { params: { id: id ?? '' } }, { enabled: !isNew && id !== undefined });
  const form: UseFormReturn<ProfileValues> = useForm<ProfileValues>({
    mode: 'onTouched',
    defaultValues: { name: '', description: '', settings: isNew ? initial() : {} },
  });
  const { reset } = form;
  const loaded: Profile | undefined = query.data;
  useEffect(() => {
    if (!loaded) return;
    reset({ name: shownName(loaded, action, t), description: loaded.description, settings: today(loaded.settings) });
  }, [loaded, action, reset, t, today]);

  const save = useMutation({
    mutationFn: (values: ProfileValues): Promise<Profile> =>
      action === 'edit' && loaded
        ? call(routes.update, { params: { id: loaded.id }, body: { ...values, version: loaded.version } })
        : call(routes.create, { body: values }),
    onSuccess: async () => {
      notify.success(t('common.saved'));
      await invalidate(routes.list, routes.get);
      void navigate(path);
    },
  });
  // What the page is called once the profile is known.
  const shown = loaded ? shownName(loaded, action, t) : null;
  return { form, save, query, profile: loaded, isNew, shownName: shown };
}

const shownName = (profile: Profile, action: FormAction, t: TFunction): string =>
  action === 'copy' ? t('common.copyName', { name: profile.name }) : profile.name;

const asStored = (stored: Record<string, unknown>): Record<string, unknown> => stored;
