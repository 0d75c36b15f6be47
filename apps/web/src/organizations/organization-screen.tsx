import { type Organization, type OrganizationBody, organizationBodySchema } from '@pdf2press/contract';
import { organizationRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { type FormAction, readAction } from '../frame/form-action.ts';
import { FormFrame } from '../frame/form-frame.tsx';
import { Screen, stateOf } from '../frame/screen.tsx';
import { notify } from '../frame/toasts.tsx';
import { LookCard } from './look-card.tsx';
import { MailCard } from './mail-card.tsx';
import { MembersCard } from './members-card.tsx';
import { OrganizationPreview } from './organization-preview.tsx';
import { PageCard } from './page-card.tsx';
import { useOrganizationForm } from './use-organization-form.ts';

export function OrganizationScreen() {
  const { t } = useTranslation();
  const { action: text, id } = useParams();
  const action = readAction(text);
  const isNew = action === 'new';
  const query = useCall(organizationRoutes.get, { params: { id: id ?? '' } }, { enabled: !isNew && id !== undefined });
  const isLost = action === null || (!isNew && id === undefined);
  return (
    <Screen
      title={isNew ? t('organizations.new') : (query.data?.name ?? t('nav.organizations'))}
      back={{ to: '/organization', label: t('nav.organizations') }}
      state={isLost ? { kind: 'notFound' } : isNew ? { kind: 'ready' } : stateOf(query)}
    >
      {action && (isNew || query.data) && (
        <OrganizationForm key={`${action} ${query.data?.id}`} organization={query.data ?? null} action={action} />
      )}
    </Screen>
  );
}

/** What the form begins with. A copy has the look and the members, but neither the address nor who may frame it. */
function initialOf(organization: Organization | null, action: FormAction, copyName: string): OrganizationBody {
  if (!organization) return organizationBodySchema.parse({ name: '-', members: [] });
  const body = organizationBodySchema.parse(organization);
  if (action !== 'copy') return body;
  return { ...body, name: copyName, uploadPage: { ...body.uploadPage, isPublic: false, slug: '' } };
}

function OrganizationForm({ organization, action }: { organization: Organization | null; action: FormAction }) {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const initial = initialOf(organization, action, t('common.copyName', { name: organization?.name ?? '' }));
  const form = useOrganizationForm(organization ? initial : { ...initial, name: '' });
  const save = useMutation({
    mutationFn: (body: OrganizationBody) =>
      organization && action === 'edit'
        ? call(organizationRoutes.update, { params: { id: organization.id }, body })
        : call(organizationRoutes.create, { body }),
    onSuccess: async () => {
      notify.success(t('common.saved'));
      await invalidate(organizationRoutes.list, organizationRoutes.get, organizationRoutes.choices);
      void navigate('/organization');
    },
  });
  const mayManage = may('organizations.manage');
  const mayPage = may('organizations.uploadPage.manage');
  const isView = action === 'view';
  const known = organization && action === 'edit' ? organization : null;
  const choices = useCall(
    organizationRoutes.choices,
    { query: known ? { id: known.id } : {} },
    { enabled: mayManage || mayPage },
  );
  return (
    <FormFrame
      back="/organization"
      isDirty={form.formState.isDirty}
      isSaving={save.isPending}
      isDone={save.isSuccess}
      isReadOnly={isView || !(mayManage || mayPage)}
      error={save.error}
      errors={form.formState.errors}
      nameOf={(path) => (path === 'color' ? t('organizations.color') : undefined)}
      onSubmit={() => void form.handleSubmit((body) => save.mutate(body))()}
      aside={<OrganizationPreview form={form} />}
    >
      <LookCard form={form} isFixed={isView || !mayManage} />
      <PageCard
        form={form}
        organization={known}
        workflows={choices.data?.workflows ?? []}
        isFixed={isView || !mayPage}
      />
      <MailCard form={form} isFixed={isView || !mayManage} />
      <MembersCard
        form={form}
        people={choices.data?.people ?? organization?.members ?? []}
        isFixed={isView || !mayManage}
      />
    </FormFrame>
  );
}
