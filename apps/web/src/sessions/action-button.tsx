import { Button, type ButtonProps } from '@mantine/core';
import type { SessionAction } from '@pdf2press/contract';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from '../frame/hint.tsx';
import { notify } from '../frame/toasts.tsx';
import { isAsking } from './answers.ts';
import { actionIcons, isDangerous, type Offer } from './session-actions.ts';

interface Props extends Pick<ButtonProps, 'variant' | 'size'> {
  offer: Offer;
  onAct: (action: SessionAction) => void;
}

/** An action of a session. When it is not possible, the button stays focusable and states the reason. */
export function ActionButton({ offer: { action, refusal }, onAct, ...look }: Props) {
  const { t } = useTranslation();
  const reason = useId();
  const Icon = actionIcons[action];
  return (
    <>
      <Hint label={refusal} isOff={refusal === null}>
        <Button
          variant="default"
          {...look}
          {...(isDangerous(action) ? { color: 'error' } : {})}
          leftSection={<Icon size={look.size === 'xs' ? 15 : 16} />}
          {...(refusal === null ? {} : { 'aria-disabled': true, 'data-disabled': true, 'aria-describedby': reason })}
          onClick={() => (refusal === null ? onAct(action) : notify.info(refusal))}
        >
          {t(`sessions.action.${action}`)}
          {isAsking(action) && '…'}
        </Button>
      </Hint>
      {refusal !== null && (
        <span id={reason} hidden>
          {refusal}
        </span>
      )}
    </>
  );
}
