import { Alert, Button, Loader, Text, TextInput, Title } from '@mantine/core';
import type { UploadPage } from '@pdf2press/contract';
import { IconCloudOff, IconLock } from '@tabler/icons-react';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { CallError, failureText } from '../client/call-error.ts';
import { HouseHead } from '../client-proof/house-head.tsx';
import { useReaderLanguage } from '../client-proof/use-reader-language.ts';
import { useTitle } from '../frame/use-title.ts';
import { OrderForm } from './order-form.tsx';
import { Receipt } from './receipt.tsx';
import classes from './upload-page.module.css';
import { useAwake } from './use-awake.ts';
import { useUploadPage } from './use-upload-page.ts';
import { isComing, useVisit } from './visit.ts';

/** An organization's page for whoever has files for it: no account, nothing kept in the browser but the visit. */
export function UploadPageScreen() {
  const { user = '' } = useParams();
  const { query, code, setCode } = useUploadPage(user.toLowerCase());
  const { data: page, error } = query;
  useReaderLanguage(page?.locale ?? null);
  if (page) return <Open page={page} />;
  const isUnknown = error instanceof CallError && error.status === 404;
  return (
    <div className={classes.whole}>
      {!error ? (
        <Opening />
      ) : isUnknown ? (
        <Unknown wasTried={code !== ''} onCode={setCode} />
      ) : (
        <Failed error={error} onRetry={() => void query.refetch()} />
      )}
    </div>
  );
}

function Open({ page }: { page: UploadPage }) {
  const { t } = useTranslation();
  const { name } = page.house.organization;
  const receipt = useVisit((visiting) => visiting.receipt);
  const isBusy = useVisit(({ items }) => items.some(isComing));
  const title = t('uploadPage.title', { name });
  useTitle(title, page.house.title);
  useAwake(isBusy);
  useEffect(() => {
    if (!isBusy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isBusy]);
  return (
    <div className={classes.whole}>
      <HouseHead house={page.house} />
      <div className={classes.column}>
        {receipt ? (
          <Receipt receipt={receipt} />
        ) : (
          <>
            <Title order={1} size="h2">
              {title}
            </Title>
            <OrderForm page={page} />
          </>
        )}
      </div>
    </div>
  );
}

function Opening() {
  const { t } = useTranslation();
  return (
    <div className={classes.notice} role="status">
      <Loader aria-hidden />
      <Text>{t('uploadPage.loading')}</Text>
    </div>
  );
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation();
  const title = t('uploadPage.failed');
  useTitle(title);
  return (
    <div className={classes.notice}>
      <IconCloudOff size={40} stroke={1.5} aria-hidden />
      <Title order={1} size="h2">
        {title}
      </Title>
      <Text maw={460}>{failureText(error, t)}</Text>
      <Button onClick={onRetry}>{t('common.retry')}</Button>
    </div>
  );
}

/** One answer for a page that is not there and for one that asks for a code: who has no code learns nothing of it. */
function Unknown({ wasTried, onCode }: { wasTried: boolean; onCode: (code: string) => void }) {
  const { t } = useTranslation();
  const [given, setGiven] = useState('');
  const title = t('uploadPage.unknown');
  useTitle(title);
  const open = (event: FormEvent) => {
    event.preventDefault();
    if (given.trim()) onCode(given.trim());
  };
  return (
    <form className={classes.notice} noValidate onSubmit={open}>
      <IconLock size={40} stroke={1.5} aria-hidden />
      <Title order={1} size="h2">
        {title}
      </Title>
      <Text maw={460}>{t('uploadPage.unknownText')}</Text>
      {wasTried && (
        <Alert color="error" variant="light" role="alert">
          {t('uploadPage.wrongCode')}
        </Alert>
      )}
      <div className={classes.code}>
        <TextInput
          label={t('uploadPage.code')}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={given}
          onChange={(event) => setGiven(event.currentTarget.value)}
        />
        <Button type="submit">{t('uploadPage.openWithCode')}</Button>
      </div>
    </form>
  );
}
