import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { type FormAction, readAction } from '../frame/form-action.ts';
import { FormFrame } from '../frame/form-frame.tsx';
import { Screen, stateOf } from '../frame/screen.tsx';
import { useMadeForOf } from '../organizations/made-for-field.tsx';
import { MadeForNow } from '../workflows/profile-names.ts';
import type { ListedKind } from './profiles-screen.tsx';

import type { useProfileForm } from './use-profile-form.ts';

/** Kinds with a form of this frame; mailboxes and cloud storages have lists of their own. */
type FramedKind = ListedKind | 'inboundEmail' | 'cloudStorage';

/** What the navigation calls a kind. */
const navOf = (kind: FramedKind) => (kind === 'inboundEmail' ? 'nav.email' : (`nav.${kind}` as const));

/** What the form of a profile is opened for. */
export interface ProfileFormProps {
  action: FormAction;
  id: string | undefined;
}

/** The page of a profile: its address says what is done, and with which one. */
export function ProfilePage({ kind, form: Form }: { kind: FramedKind; form: ComponentType<ProfileFormProps> }) {
  const { t } = useTranslation();
  const { action: text, id } = useParams();
  const action = readAction(text);
  if (!action || (action !== 'new' && !id)) return <Screen title={t(navOf(kind))} state={{ kind: 'notFound' }} />;
  return <Form key={`${action}/${id}`} action={action} id={id} />;
}

interface Props {
  kind: FramedKind;
  held: ReturnType<typeof useProfileForm>;
  isReadOnly: boolean;
  nameOf: (setting: string) => string | undefined;
  aside?: ReactNode;
  /** On a narrow screen what stands beside the fields is unfolded at first. */
  isAsideOpen?: boolean;
  children: ReactNode;
}

/** The frame of every profile's form: title, the way back, saving, and what stands beside the fields. */
export function ProfileFrame({ kind, held, isReadOnly, nameOf, aside, isAsideOpen = false, children }: Props) {
  const { t } = useTranslation();
  const { form, save, query, isNew, shownName } = held;
  const back = held.path;
  return (
    <Screen
      title={isNew ? t(`profiles.${kind}.new`) : (shownName ?? t(navOf(kind)))}
      back={{ to: back, label: t(navOf(kind)) }}
      state={isNew ? { kind: 'ready' } : stateOf(query)}
    >
      <FormFrame
        back={back}
        isDirty={form.formState.isDirty}
        isSaving={save.isPending}
        isDone={save.isSuccess}
        isReadOnly={isReadOnly}
        error={save.error}
        errors={form.formState.errors}
        nameOf={nameOf}
        onSubmit={() => void form.handleSubmit((values) => save.mutate(values))()}
        aside={aside}
        isAsideOpen={isAsideOpen}
      >
        <MadeForNow value={useMadeForOf(form.watch('organizationId'))}>{children}</MadeForNow>
      </FormFrame>
    </Screen>
  );
}
