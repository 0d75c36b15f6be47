import { NumberInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './viewer.module.css';

interface Props {
  current: number;
  count: number;
  onOpen: (page: number) => void;
  onEnd: () => void;
}

/** Takes the number of a page: Enter opens it, Escape does not. */
export function PageJump({ current, count, onOpen, onEnd }: Props) {
  const { t } = useTranslation();
  const [page, setPage] = useState<number | string>(current);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const open = () => {
    const wanted = Math.round(Number(page));
    if (page !== '' && wanted >= 1) onOpen(Math.min(count, wanted));
    onEnd();
  };
  return (
    <NumberInput
      className={classes.jump}
      size="xs"
      aria-label={t('viewer.pageNumber', { count })}
      ref={input}
      min={1}
      max={count}
      clampBehavior="none"
      allowDecimal={false}
      allowNegative={false}
      hideControls
      value={page}
      onChange={setPage}
      onBlur={open}
      onKeyDown={(event) => {
        if (event.key === 'Enter') open();
        else if (event.key === 'Escape') onEnd();
      }}
    />
  );
}
