import { Alert, Button, Code, CopyButton, Group, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** A secret that is shown only once, with a copy button. */
export function SecretOnce({ text, note, onClose }: { text: string; note: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Stack>
      <Alert color="warning" variant="light">
        {note}
      </Alert>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {text}
      </Code>
      <Group justify="end">
        <CopyButton value={text}>
          {({ copied, copy }) => <Button onClick={copy}>{t(copied ? 'common.copied' : 'common.copy')}</Button>}
        </CopyButton>
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
      </Group>
    </Stack>
  );
}
