import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { Organization } from '@pdf2press/contract';
import { organizationRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { SecretOnce } from '../account/secret-once.tsx';
import { call } from '../client/call.ts';
import { invalidate } from '../client/queries.ts';
import { confirm } from '../frame/confirm.ts';
import { notify } from '../frame/toasts.tsx';

/** Whether the page opens only with a code. Takes effect at once, because the code is shown only when it is made. */
export function CodeField({ organization, isFixed }: { organization: Organization; isFixed: boolean }) {
  const { t } = useTranslation();
  const { id, uploadPage } = organization;
  const onSettled = () => invalidate(organizationRoutes.get, organizationRoutes.list);
  const onError = notify.failure;
  const make = useMutation({
    mutationFn: () => call(organizationRoutes.makeCode, { params: { id } }),
    onSettled,
    onError,
  });
  const remove = useMutation({
    mutationFn: () => call(organizationRoutes.removeCode, { params: { id } }),
    onSettled,
    onError,
  });
  const replace = async () => {
    const isSure =
      !uploadPage.hasCode ||
      (await confirm({
        title: t('organizations.newCode'),
        text: t('organizations.newCodeText'),
        act: t('organizations.newCode'),
      }));
    if (isSure) make.mutate();
  };
  const address = `${uploadPage.address ?? `${window.location.origin}/upload/${uploadPage.slug}`}#code=${make.data?.code}`;
  return (
    <Stack gap="xs">
      <Text fw={550} size="sm">
        {t('organizations.private')}
      </Text>
      <Text size="sm" c="dimmed">
        {t(uploadPage.hasCode ? 'organizations.hasCode' : 'organizations.noCode')}
      </Text>
      <Group gap="xs">
        <Button variant="default" size="xs" loading={make.isPending} disabled={isFixed} onClick={() => void replace()}>
          {t(uploadPage.hasCode ? 'organizations.newCode' : 'organizations.makeCode')}
        </Button>
        {uploadPage.hasCode && (
          <Button
            variant="subtle"
            color="neutral"
            size="xs"
            loading={remove.isPending}
            disabled={isFixed}
            onClick={() => remove.mutate()}
          >
            {t('organizations.removeCode')}
          </Button>
        )}
      </Group>
      <Modal
        opened={make.data !== undefined}
        onClose={make.reset}
        title={t('organizations.codeMade')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <SecretOnce text={address} note={t('organizations.codeOnce')} onClose={make.reset} />
      </Modal>
    </Stack>
  );
}
