import { Button, Text, Title } from '@mantine/core';
import type { UploadReceipt } from '@pdf2press/contract';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatSize, formatTime } from '../language/formats.ts';
import classes from './upload-page.module.css';
import { leaveVisit } from './visit.ts';

/** What was sent, and the reference to ask for it by. */
export function Receipt({ receipt: { reference, at, files } }: { receipt: UploadReceipt }) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  // The form is gone with whatever had the focus.
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={`${classes.card} ${classes.receipt}`}>
      <IconCircleCheck size={48} stroke={1.3} className={classes.good} aria-hidden />
      <Title order={1} size="h2" ref={heading} tabIndex={-1}>
        {t('uploadPage.done')}
      </Title>
      <dl className={classes.reference}>
        <dt>{t('uploadPage.reference')}</dt>
        <dd>{reference}</dd>
      </dl>
      <Text maw={480}>{t('uploadPage.doneText')}</Text>
      <ul className={classes.files} aria-label={t('uploadPage.files')}>
        {files.map(({ name, size, problem }, place) => (
          <li key={place} className={classes.file}>
            {problem ? (
              <IconAlertTriangle size={20} className={classes.bad} aria-hidden />
            ) : (
              <IconCircleCheck size={20} className={classes.good} aria-hidden />
            )}
            <div className={classes.facts}>
              <span className={classes.name} title={name}>
                {name}
              </span>
              {problem ? (
                <small className={classes.fault}>{t('uploadPage.refused', { reason: problem.message })}</small>
              ) : (
                <small>{formatSize(size)}</small>
              )}
            </div>
          </li>
        ))}
      </ul>
      <Text size="sm" c="dimmed">
        <time dateTime={at}>{formatTime(at)}</time>
      </Text>
      <Button variant="default" onClick={() => leaveVisit()}>
        {t('uploadPage.sendMore')}
      </Button>
    </section>
  );
}
