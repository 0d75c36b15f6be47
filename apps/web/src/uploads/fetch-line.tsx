import { ActionIcon, Loader, Tooltip } from '@mantine/core';
import { arrivalRoutes } from '@pdf2press/contract/calls';
import { IconAlertTriangle, IconCircleCheck, IconRefresh, IconX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../client/call.ts';
import { failureText } from '../client/call-error.ts';
import { useCall } from '../client/queries.ts';
import { notify } from '../frame/toasts.tsx';
import { formatSize } from '../language/formats.ts';
import { sessionPath } from '../sessions/session-row.tsx';
import { forgetFetch, isComing, isOpen, noteArrived } from './fetches.ts';
import type { Fetch } from './upload-state.ts';
import classes from './uploads.module.css';

/** What becomes of it is asked so often. */
const refreshMilliseconds = 2_000;

/** A file that the server fetches from its address, and what became of it. */
export function FetchLine({ fetched }: { fetched: Fetch }) {
  const { t } = useTranslation();
  const { arrivalId, address, arrived } = fetched;
  const asked = useCall(
    arrivalRoutes.get,
    { query: { id: arrivalId } },
    { refetchInterval: isOpen(fetched) ? refreshMilliseconds : false },
  );
  useEffect(() => {
    if (asked.data) noteArrived(arrivalId, asked.data);
  }, [asked.data, arrivalId]);
  const retry = async () => {
    try {
      await call(arrivalRoutes.retry, { body: { id: arrivalId } });
    } catch (error) {
      notify.failure(error);
    }
    await asked.refetch();
  };
  const name = arrived?.name ?? address;
  const isRefused = !isOpen(fetched) && !arrived?.session;
  const button = (label: string, icon: React.ReactNode, act: () => void) => (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="neutral" aria-label={`${label}: ${name}`} onClick={act}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
  return (
    <li className={classes.line} data-state={arrived?.session ? 'done' : isRefused ? 'failed' : 'uploading'}>
      <div className={classes.lineHead}>
        {arrived?.session && <IconCircleCheck size={18} className={classes.done} aria-label={t('upload.state.done')} />}
        {isRefused && <IconAlertTriangle size={18} className={classes.failed} aria-hidden />}
        {isComing(fetched) && <Loader size={16} aria-hidden />}
        {arrived?.session ? (
          <Link to={sessionPath(arrived.session.id)} className={classes.name}>
            {name}
          </Link>
        ) : (
          <span className={classes.name} title={address}>
            {name}
          </span>
        )}
        {arrived?.canRetry && arrived.why && button(t('common.retry'), <IconRefresh size={16} />, () => void retry())}
        {!isComing(fetched) && button(t('common.close'), <IconX size={16} />, () => forgetFetch(arrivalId))}
      </div>
      <small role={isRefused ? 'alert' : undefined}>
        {asked.error && !asked.data ? failureText(asked.error, t) : <Told fetched={fetched} />}
      </small>
    </li>
  );
}

/** What became of it, in words. */
function Told({ fetched: { arrived } }: { fetched: Fetch }) {
  const { t } = useTranslation();
  if (arrived?.why) return arrived.why.message;
  if (arrived?.session) return arrived.sizeBytes === null ? t('upload.state.done') : formatSize(arrived.sizeBytes);
  return t('upload.fetching');
}
