import { Badge, Button, Group, Text } from '@mantine/core';
import { authRoutes } from '@pdf2press/contract/calls';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { ListRows } from '../frame/list-rows.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';

const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const;
const shownBrowser: Partial<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux'] as const;

/** `Firefox, Windows` from a user agent string. */
function shortName(userAgent: string): string {
  const browser = browsers.find((name) => userAgent.includes(name));
  const system = systems.find((name) => userAgent.includes(name));
  return [browser && (shownBrowser[browser] ?? browser), system].filter(Boolean).join(', ') || userAgent.slice(0, 60);
}

/** The browsers in which the user is signed in, with a sign-out for each. */
export function SignedInCard() {
  const { t } = useTranslation();
  const { data } = useCall(authRoutes.mySessions);
  const revoke = useMutation({
    mutationFn: (id: string) => call(authRoutes.revokeMySession, { params: { id } }),
    onSuccess: () => invalidate(authRoutes.mySessions),
    onError: notify.failure,
  });
  return (
    <SectionCard title={t('account.signedIn')} text={t('account.signedInText')}>
      <ListRows>
        {data?.map((session) => {
          const Icon = /Android|iPhone|iPad/.test(session.userAgent) ? IconDeviceMobile : IconDeviceDesktop;
          return (
            <Group key={session.id}>
              <Icon size={20} aria-hidden />
              <div style={{ flex: '1 1 160px' }}>
                <Group gap="xs">
                  <Text fw={500}>{shortName(session.userAgent)}</Text>
                  {session.isCurrent && (
                    <Badge color="success" variant="light" tt="none">
                      {t('account.thisBrowser')}
                    </Badge>
                  )}
                </Group>
                <Text size="sm" c="dimmed" className="tabular">
                  {session.ip} · <Ago at={session.lastSeenAt} />
                </Text>
              </div>
              {!session.isCurrent && (
                <Button
                  variant="default"
                  size="xs"
                  loading={revoke.isPending && revoke.variables === session.id}
                  onClick={() => revoke.mutate(session.id)}
                >
                  {t('frame.signOut')}
                </Button>
              )}
            </Group>
          );
        })}
      </ListRows>
    </SectionCard>
  );
}
