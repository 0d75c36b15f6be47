import { Alert, Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import type { CloudProvider, CloudState, MailboxState, MailService } from '@pdf2press/contract';
import type { cloudStorageRoutes, mailboxRoutes } from '@pdf2press/contract/calls';
import { IconAlertTriangle, IconPlugConnected } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import type { FormAction } from '../frame/form-action.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';
import type { ProfileValues, useProfileForm } from '../profiles/use-profile-form.ts';

interface Props {
  action: FormAction;
  held: ReturnType<typeof useProfileForm>;
  routes: typeof cloudStorageRoutes | typeof mailboxRoutes;
  provider: CloudProvider | MailService;
  /** What the service is called. */
  label: string;
  /** Undefined = it is not saved, or of another service than the one that is chosen. */
  state: Pick<CloudState | MailboxState, 'account' | 'failing'> | undefined;
  isReadOnly: boolean;
  /** The test of the connection. */
  children: ReactNode;
}

/** Saves what the form holds and opens the page of the service at which the account consents. */
function useConnect({ action, held, routes }: Pick<Props, 'action' | 'held' | 'routes'>) {
  const navigate = useNavigate();
  const { form, profile, path } = held;
  const isStored = action === 'edit' && profile !== undefined;
  async function save(body: ProfileValues): Promise<string> {
    if (!isStored) return (await call(routes.create, { body })).id;
    const { id, version } = profile;
    if (form.formState.isDirty) await call(routes.update, { params: { id }, body: { ...body, version } });
    return id;
  }
  return useMutation({
    mutationFn: async (values: ProfileValues) => {
      const id = await save(values);
      // Saved: the page may be left without a question, and what comes next begins from what is stored.
      form.reset(values);
      await invalidate(routes.list, routes.get, routes.states);
      try {
        return (await call(routes.connect, { params: { id }, body: {} })).address;
      } catch (error) {
        if (!isStored) void navigate(`${path}/edit/${encodeURIComponent(id)}`, { replace: true });
        throw error;
      }
    },
    onSuccess: (address) => window.location.assign(address),
    onError: notify.failure,
  });
}

/** Who is connected, and the button that connects. */
export function ConnectCard({ action, held, routes, provider, label, state, isReadOnly, children }: Props) {
  const { t } = useTranslation();
  const { data } = useCall(routes.services);
  const service = data?.services.find((one) => one.provider === provider);
  const connect = useConnect({ action, held, routes });
  const account = state?.account ?? null;
  const isSignInNeeded = state?.failing?.code === 'source.signInNeeded';
  return (
    <SectionCard title={t('cloud.account')} text={t('cloud.accountText')}>
      <Stack>
        {account !== null && !isSignInNeeded && (
          <Badge variant="light" tt="none" fw={550} color="success" size="lg">
            {t('cloud.connectedAs', { account })}
          </Badge>
        )}
        {account === null && <Text c="dimmed">{t('cloud.notConnectedText')}</Text>}
        {isSignInNeeded && (
          <Alert color="error" icon={<IconAlertTriangle size={20} />} title={t('cloud.signInNeeded')}>
            {state?.failing?.message}
          </Alert>
        )}
        {service && !service.isSetUp && (
          <Alert color="warning" icon={<IconAlertTriangle size={20} />} role="note">
            {t('cloud.notSetUp', {
              provider: label,
              variables: service.variables.join(', '),
            })}
            <Code block mt="xs">
              {data?.redirect}
            </Code>
          </Alert>
        )}
        {!isReadOnly && service?.isSetUp && (
          <Group>
            <Button
              variant={account === null || isSignInNeeded ? 'filled' : 'default'}
              leftSection={<IconPlugConnected size={16} />}
              loading={connect.isPending || connect.isSuccess}
              onClick={() => void held.form.handleSubmit((values) => connect.mutate(values))()}
            >
              {t(account === null ? 'cloud.connect' : 'cloud.reconnect')}
            </Button>
          </Group>
        )}
        {account !== null && children}
      </Stack>
    </SectionCard>
  );
}
