import { Title } from '@mantine/core';
import type { UploadPage } from '@pdf2press/contract';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './upload-page.module.css';

/** The parts of the form, in their order. */
export const orderSteps = ['files', 'details', 'send'] as const;
export type OrderStep = (typeof orderSteps)[number];

const words = { files: 'uploadPage.files', details: 'uploadPage.step.details', send: 'uploadPage.step.send' } as const;

/** With more questions than these the form is gone through step by step. */
const mostAtOnce = 6;

/**
 * Which parts of the form are shown: all at once, or one after the other where a service asks for much.
 * @returns `step` null = all at once
 */
export function useOrderSteps({ workflows }: UploadPage) {
  const isStepped = workflows.some(({ variables }) => variables.length > mostAtOnce);
  const [step, setStep] = useState<OrderStep>('files');
  return {
    step: isStepped ? step : null,
    shows: (part: OrderStep): boolean => !isStepped || step === part,
    goTo: setStep,
  };
}

/** How far the form is; the focus follows the step, and what is behind can be gone back to. */
export function StepHead({ step, onStep }: { step: OrderStep; onStep: (step: OrderStep) => void }) {
  const { t } = useTranslation();
  const head = useRef<HTMLHeadingElement>(null);
  const before = useRef(step);
  useEffect(() => {
    if (before.current !== step) head.current?.focus();
    before.current = step;
  }, [step]);
  const current = orderSteps.indexOf(step);
  const label = (one: OrderStep, at: number): ReactNode => (
    <>
      <span className={classes.stepNo}>{at + 1}</span> {t(words[one])}
    </>
  );
  return (
    <nav className={classes.steps} aria-label={t('uploadPage.steps')}>
      <Title order={2} size="h4" ref={head} tabIndex={-1}>
        {t('uploadPage.stepOf', { at: current + 1, count: orderSteps.length, name: t(words[step]) })}
      </Title>
      <ol>
        {orderSteps.map((one, at) => (
          <li key={one} aria-current={at === current ? 'step' : undefined}>
            {at < current ? (
              <button type="button" onClick={() => onStep(one)}>
                {label(one, at)}
              </button>
            ) : (
              label(one, at)
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
