import { Alert, Button, Text } from '@mantine/core';
import { auditRoutes } from '@pdf2press/contract/calls';
import { IconLink, IconLinkOff, IconShieldCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { notify } from '../frame/toasts.tsx';
import { formatNumber, formatTime } from '../language/formats.ts';
import classes from './audit.module.css';

/** A button that has every entry's hash computed anew, and what came of it. */
export function ChainCheck() {
  const { t } = useTranslation();
  const check = useMutation({ mutationFn: () => call(auditRoutes.chain), onError: notify.failure });
  const { data } = check;
  const isWhole = data?.faultCount === 0 && data.anchors.faultCount === 0;
  const count = data ? data.faultCount + data.anchors.faultCount : 0;
  return (
    <div className={classes.chain}>
      <Button
        variant="default"
        leftSection={<IconShieldCheck size={17} />}
        loading={check.isPending}
        onClick={() => check.mutate()}
      >
        {t('audit.verify')}
      </Button>
      {data && (
        <Alert
          role="status"
          variant="light"
          color={isWhole ? 'success' : 'error'}
          icon={isWhole ? <IconLink size={20} /> : <IconLinkOff size={20} />}
          title={
            isWhole
              ? t('audit.whole', { count: data.count, shown: formatNumber(data.count) })
              : t('audit.broken', { count, shown: formatNumber(count) })
          }
        >
          {data.faults.map(({ no, kind }) => (
            <Text key={no} size="sm">
              {t(`audit.fault.${kind}`, { no: formatNumber(no) })}
            </Text>
          ))}
          {data.anchors.faults.map(({ no, at, fault }) => (
            <Text key={at} size="sm">
              {t(`audit.anchorFault.${fault}`, { no: formatNumber(no), at: formatTime(at) })}
            </Text>
          ))}
          {data.anchors.last && data.anchors.faultCount === 0 && (
            <Text size="sm">
              {t('audit.anchors', {
                count: data.anchors.count,
                shown: formatNumber(data.anchors.count),
                no: formatNumber(data.anchors.last.no),
                at: formatTime(data.anchors.last.at),
              })}
            </Text>
          )}
          {data.last && (
            <Text size="sm" className={classes.id}>
              {t('audit.last', { no: formatNumber(data.last.no), hash: data.last.hash })}
            </Text>
          )}
        </Alert>
      )}
    </div>
  );
}
