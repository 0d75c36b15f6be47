import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Remaining seconds of a wait required by the server. */
export function Countdown({ until, onEnd }: { until: number; onEnd: () => void }) {
  const { t } = useTranslation();
  const [now, setNow] = useState(Date.now);
  const seconds = Math.ceil((until - now) / 1000);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (seconds <= 0) onEnd();
  }, [seconds, onEnd]);
  const text = `${Math.floor(Math.max(0, seconds) / 60)}:${String(Math.max(0, seconds) % 60).padStart(2, '0')}`;
  return (
    <Text size="sm" c="dimmed" className="tabular" role="timer">
      {t('account.tryAgainIn', { time: text })}
    </Text>
  );
}
