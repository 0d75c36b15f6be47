import { Button, Code, Group, Modal, NumberInput, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  embeddablePermissions,
  embedTokenDays,
  embedTokenRoutes,
  originSchema,
  type Permission,
} from '@pdf2press/contract';
import { IconPlus, IconWorldShare } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { confirm } from '../frame/confirm.ts';
import { ListRows } from '../frame/list-rows.tsx';
import { places } from '../frame/places.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';
import { formatAgo, formatTime } from '../language/formats.ts';
import { PermissionPicker } from '../roles/permission-picker.tsx';
import { FormProblem } from './form-problems.tsx';
import { SecretOnce } from './secret-once.tsx';
import { useMe } from './use-me.ts';

/** What a list of sessions on another site needs: to look. */
const usual: readonly Permission[] = ['sessions.view'];

export function EmbedTokensCard() {
  const { t } = useTranslation();
  const { data } = useCall(embedTokenRoutes.list);
  const [isOpen, dialog] = useDisclosure();
  const revoke = useMutation({
    mutationFn: (id: string) => call(embedTokenRoutes.revoke, { params: { id } }),
    onSuccess: () => invalidate(embedTokenRoutes.list),
    onError: notify.failure,
  });
  return (
    <SectionCard
      title={t('embedTokens.title')}
      text={t('embedTokens.text')}
      action={
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={dialog.open}>
          {t('embedTokens.new')}
        </Button>
      }
    >
      {data?.length === 0 && <Text c="dimmed">{t('embedTokens.none')}</Text>}
      <ListRows>
        {data?.map((token) => (
          <Group key={token.id}>
            <IconWorldShare size={20} aria-hidden />
            <div style={{ flex: '1 1 160px', minInlineSize: 0, overflowWrap: 'anywhere' }}>
              <Text fw={500}>{token.name}</Text>
              <Text size="sm">{token.origins.join(', ')}</Text>
              <Text size="sm" c="dimmed">
                <Code>{token.prefix}…</Code> {t('apiKeys.permissions', { count: token.permissions.length })} ·{' '}
                {t('embedTokens.until', { when: formatTime(token.expiresAt) })} ·{' '}
                {token.lastUsedAt
                  ? t('apiKeys.lastUsed', { when: formatAgo(token.lastUsedAt) })
                  : t('apiKeys.neverUsed')}
              </Text>
            </div>
            <Button
              variant="light"
              color="error"
              size="xs"
              onClick={async () => {
                const isSure = await confirm({
                  title: t('apiKeys.revokeTitle', { name: token.name }),
                  text: t('embedTokens.revokeText'),
                  act: t('apiKeys.revoke'),
                  isDangerous: true,
                });
                if (isSure) revoke.mutate(token.id);
              }}
            >
              {t('apiKeys.revoke')}
            </Button>
          </Group>
        ))}
      </ListRows>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title={t('embedTokens.new')}
        size="lg"
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {isOpen && <NewEmbedToken onClose={dialog.close} />}
      </Modal>
    </SectionCard>
  );
}

/** Pages that may stand on another site: those without a place in the address to fill in, in the permissions' reach. */
const pages = places.filter(
  ({ access, path, load }) =>
    load && !path.includes(':') && Array.isArray(access) && access.every((one) => embeddablePermissions.includes(one)),
);

/** What goes into the other site's page: ours, opened by the token. */
const frameOf = (path: string, token: string, title: string): string => {
  const address = `${window.location.origin}${path}?embed=true&token=${token}`;
  return `<iframe src="${address}" title="${title.replace(/[&"<]/g, (sign) => `&#${sign.charCodeAt(0)};`)}" referrerpolicy="no-referrer" style="inline-size: 100%; block-size: 640px; border: 0"></iframe>`;
};

/** Names and limits a token, and shows the piece of page that it opens this once. */
function NewEmbedToken({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const me = useMe();
  const [name, setName] = useState('');
  const [sites, setSites] = useState<string[]>([]);
  const [path, setPath] = useState<string>('/workflows/sessions');
  const [days, setDays] = useState<number>(embedTokenDays);
  const [isTried, setTried] = useState(false);
  const [permissions, setPermissions] = useState<readonly Permission[]>(
    usual.filter((one) => me?.permissions.includes(one)),
  );
  const make = useMutation({
    mutationFn: () =>
      call(embedTokenRoutes.create, { body: { name, origins: sites, days, permissions: [...permissions] } }),
    onSuccess: () => invalidate(embedTokenRoutes.list),
  });
  if (make.data)
    return <SecretOnce text={frameOf(path, make.data.token, name)} note={t('embedTokens.once')} onClose={onClose} />;
  const strange = sites.filter((site) => !originSchema.safeParse(site).success);
  const faults = {
    name: name.trim() === '' ? t('value.required') : null,
    sites: sites.length === 0 ? t('value.required') : strange.length > 0 ? t('embedTokens.siteInvalid') : null,
  };
  const shown = isTried ? faults : { name: null, sites: null };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!faults.name && !faults.sites) make.mutate();
      }}
    >
      <Stack>
        <FormProblem error={make.error} />
        <TextInput
          label={t('field.name')}
          data-autofocus
          error={shown.name}
          value={name}
          maxLength={200}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TagsInput
          label={t('embedTokens.sites')}
          description={t('embedTokens.sitesText')}
          placeholder={sites.length === 0 ? 'https://shop.example' : ''}
          value={sites}
          onChange={(given) =>
            setSites([...new Set(given.map((site) => originSchema.safeParse(site).data ?? site.trim()))].slice(0, 20))
          }
          splitChars={[',', ' ', ';']}
          acceptValueOnBlur
          error={shown.sites}
        />
        <Group grow align="start">
          <Select
            label={t('embedTokens.page')}
            data={pages.map((place) => ({ value: place.path, label: t(`nav.${place.nav}`) }))}
            value={path}
            allowDeselect={false}
            onChange={(next) => next && setPath(next)}
          />
          <NumberInput
            label={t('embedTokens.days')}
            min={1}
            max={3600}
            allowDecimal={false}
            clampBehavior="strict"
            value={days}
            onChange={(next) => setDays(Number(next) || embedTokenDays)}
          />
        </Group>
        <PermissionPicker
          value={permissions}
          onChange={setPermissions}
          offered={me?.permissions ?? []}
          listed={embeddablePermissions}
        />
        <Group justify="end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={make.isPending} disabled={permissions.length === 0}>
            {t('embedTokens.make')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
