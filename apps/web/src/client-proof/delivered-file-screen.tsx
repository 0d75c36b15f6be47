import { Button, Loader, Text, Title } from '@mantine/core';
import type { DeliveredFile } from '@pdf2press/contract';
import { deliveredFileRoutes } from '@pdf2press/contract/calls';
import { IconCloudOff, IconDownload, IconFileDownload, IconLinkOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { pathOf } from '../client/address.ts';
import { CallError, failureText } from '../client/call-error.ts';
import { useCall } from '../client/queries.ts';
import type { Icon } from '../frame/place.ts';
import { useTitle } from '../frame/use-title.ts';
import { formatSize, formatTime } from '../language/formats.ts';
import classes from './client-proof.module.css';
import { HouseHead } from './house-head.tsx';
import { useReaderLanguage } from './use-reader-language.ts';

/** A file that was delivered by a link, for whoever has it: no account. */
export function DeliveredFileScreen() {
  const { t } = useTranslation();
  const { secret = '' } = useParams();
  const query = useCall(deliveredFileRoutes.get, { params: { secret } });
  const file = query.data;
  useReaderLanguage(file?.locale ?? null);
  const { error } = query;
  const isUnknown = error instanceof CallError && (error.status === 404 || error.status === 400);
  const failed = error && t(isUnknown ? 'deliveredFile.unknown' : 'deliveredFile.failed');
  useTitle(isUnknown || !file ? (failed ?? '') : file.name, isUnknown ? undefined : file?.house.title);
  if (file && !isUnknown) return <Found file={file} secret={secret} />;
  return (
    <div className={classes.proof}>
      {!error && (
        <div className={classes.notice} role="status">
          <Loader aria-hidden />
          <Text>{t('deliveredFile.loading')}</Text>
        </div>
      )}
      {error && isUnknown && (
        <Notice icon={IconLinkOff} title={t('deliveredFile.unknown')} text={t('deliveredFile.unknownText')} />
      )}
      {error && !isUnknown && (
        <Notice icon={IconCloudOff} title={t('deliveredFile.failed')} text={failureText(error, t)}>
          <Button onClick={() => void query.refetch()}>{t('common.retry')}</Button>
        </Notice>
      )}
    </div>
  );
}

function Found({ file, secret }: { file: DeliveredFile; secret: string }) {
  const { t } = useTranslation();
  const text = t('deliveredFile.text', { size: formatSize(file.sizeBytes), until: formatTime(file.expiresAt) });
  return (
    <div className={classes.proof}>
      <HouseHead house={file.house} />
      <Notice icon={IconFileDownload} title={file.name} text={text}>
        <Button
          component="a"
          href={`${pathOf(deliveredFileRoutes.get, { secret })}/file`}
          download={file.name}
          leftSection={<IconDownload size={18} aria-hidden />}
        >
          {t('deliveredFile.fetch')}
        </Button>
      </Notice>
    </div>
  );
}

function Notice({
  icon: Icon,
  title,
  text,
  children,
}: {
  icon: Icon;
  title: string;
  text: string;
  children?: ReactNode;
}) {
  return (
    <div className={classes.notice}>
      <Icon size={40} stroke={1.5} aria-hidden />
      <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Title>
      <Text maw={460}>{text}</Text>
      {children}
    </div>
  );
}
