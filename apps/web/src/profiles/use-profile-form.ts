import { zodResolver } from '@hookform/resolvers/zod';
import { type Profile, profileBodySchema } from '@pdf2press/contract';
import type { FieldSurroundings } from '@pdf2press/ui';
import { useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect, useMemo, useRef } from 'react';
import {
  type Control,
  type FieldErrors,
  type FieldValues,
  type FormState,
  get,
  type Path,
  type Resolver,
  set,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { z } from 'zod';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import type { FormAction } from '../frame/form-action.ts';
import { useFormDrawer } from '../frame/form-drawer.ts';
import { notify } from '../frame/toasts.tsx';
import { sayIssue } from '../frame/use-schema-form.ts';
import { offerPublishing } from './offer-publishing.ts';
import type { ProfileRoutes } from './profiles-screen.tsx';

export interface ProfileValues {
  name: string;
  description: string;
  /** Null = the whole house; undefined until who must choose has. */
  organizationId?: string | null | undefined;
  settings: Record<string, unknown>;
}

/**
 * The control of a profile's form for fields named by paths of any kind's settings. The cast is needed because a control of
 * one kind of values is never assignable to one of another.
 */
export const controlOf = (form: UseFormReturn<ProfileValues>): Control<FieldValues> =>
  form.control as unknown as Control<FieldValues>;

/** Tells the faults of a form to editors of fields, which know their names only. */
export const faultsOf = (form: UseFormReturn<ProfileValues>): Pick<FieldSurroundings, 'faultOf'> => {
  const { formState } = form;
  return {
    faultOf: (name) => {
      const message = form.getFieldState(name as Path<ProfileValues>, formState).error?.message;
      return typeof message === 'string' ? message : undefined;
    },
  };
};

/** Lists differ in their columns; a form only says that theirs is to be read again. */
type FormRoutes = Pick<ProfileRoutes, 'get' | 'create' | 'update'> & {
  list: Pick<ProfileRoutes['list'], 'path'>;
};

/** Loads and saves a profile and guards its unsaved changes; the settings depend on the kind. */
export function useProfileForm({
  action,
  id,
  path,
  routes,
  schema,
  initial,
  today = asStored,
  asSaved = asStored,
  mode = 'onTouched',
}: {
  action: FormAction;
  id: string | undefined;
  path: string;
  routes: FormRoutes;
  /** The schema that the server validates the settings with. */
  schema: z.ZodType;
  initial: () => Record<string, unknown>;
  /** Upgrades stored settings of an older version. */
  today?: (stored: Record<string, unknown>) => Record<string, unknown>;
  /** Leaves out what the form keeps and the settings do not have. */
  asSaved?: (settings: Record<string, unknown>) => Record<string, unknown>;
  /** When a value is validated first: once its field was left, or while it is entered. */
  mode?: 'onTouched' | 'onChange';
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const drawer = useFormDrawer();
  const mayPublish = useMay()('workflows.edit');
  const isNew = action === 'new';
  const query = useCall(routes.get, { params: { id: id ?? '' } }, { enabled: !isNew && id !== undefined });
  const held = useRef<UseFormReturn<ProfileValues>>(null);
  const resolver = useMemo(() => {
    const saved = z.preprocess((settings) => asSaved(settings as Record<string, unknown>), schema);
    return profileResolver(saved, t, () => held.current?.formState);
  }, [schema, asSaved, t]);
  const form: UseFormReturn<ProfileValues> = useForm<ProfileValues>({
    resolver,
    mode,
    defaultValues: {
      name: '',
      description: '',
      organizationId: isNew ? drawer?.organizationId : undefined,
      settings: isNew ? initial() : {},
    },
  });
  held.current = form;
  const { reset } = form;
  const loaded: Profile | undefined = query.data;
  useEffect(() => {
    if (!loaded) return;
    reset({
      name: shownName(loaded, action, t),
      description: loaded.description,
      // Whose copy of the house's it is, its maker chooses.
      organizationId: loaded.organization?.id ?? (action === 'copy' ? undefined : null),
      settings: today(loaded.settings),
    });
  }, [loaded, action, reset, t, today]);

  const save = useMutation({
    mutationFn: (values: ProfileValues): Promise<Profile> => {
      const body = { ...values, settings: asSaved(values.settings) };
      return action === 'edit' && loaded
        ? call(routes.update, { params: { id: loaded.id }, body: { ...body, version: loaded.version } })
        : call(routes.create, { body });
    },
    onSuccess: async (saved) => {
      notify.success(t('common.saved'));
      await invalidate(routes.list, routes.get);
      if (drawer) drawer.onSaved(saved);
      else void navigate(path);
      if (!drawer && action === 'edit' && mayPublish) void offerPublishing(t, saved);
    },
  });
  // The title once the profile has loaded.
  const shown = loaded ? shownName(loaded, action, t) : null;
  return { form, save, query, path, profile: loaded, isNew, shownName: shown };
}

/**
 * Validates with the contract's schema of a profile, the schema of the kind's settings and the rules of single fields,
 * which also know invalid text. Submits the values of the form unchanged; the server applies the same schemas.
 */
function profileResolver(
  settings: z.ZodType,
  t: TFunction,
  stateNow: () => FormState<ProfileValues> | undefined,
): Resolver<ProfileValues> {
  const schema = profileBodySchema.extend({ settings });
  // The resolver is typed by its schema, whose values are wider than those of the form.
  const bySchema = zodResolver(schema, { error: sayIssue(t) }, { raw: true }) as unknown as Resolver<ProfileValues>;
  return async (values, context, options) => {
    const errors: FieldErrors<ProfileValues> = { ...(await bySchema(values, context, options)).errors };
    for (const name of options.names ?? []) {
      const field = (get(options.fields, name) ?? {}) as { validate?: unknown; ref?: unknown; mount?: boolean };
      const { validate, ref, mount } = field;
      // Fields that are no longer mounted are not validated.
      const said = mount && typeof validate === 'function' ? await validate(get(values, name), values) : true;
      if (typeof said === 'string') set(errors, name, { type: 'validate', message: said, ref });
    }
    const [changed, ...others] = options.names ?? [];
    // Only a list as a whole has no field of its own: entries were added, removed or moved.
    const isList = changed !== undefined && others.length === 0 && Array.isArray(get(values, changed));
    if (isList && !get(options.fields, changed)) sayLater(errors, changed, stateNow());
    return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
  };
}

/** A new entry has nothing in it yet: what is wrong inside of entries is said at the first save, unless it is said already. */
function sayLater(
  errors: FieldErrors<ProfileValues>,
  list: string,
  state: Pick<FormState<ProfileValues>, 'errors' | 'isSubmitted'> | undefined,
): void {
  if (!state || state.isSubmitted || !Array.isArray(get(errors, list))) return;
  const said: unknown = get(state.errors, list);
  set(errors, list, Array.isArray(said) ? said : undefined);
}

const shownName = (profile: Profile, action: FormAction, t: TFunction): string =>
  action === 'copy' ? t('common.copyName', { name: profile.name }) : profile.name;

const asStored = (stored: Record<string, unknown>): Record<string, unknown> => stored;
