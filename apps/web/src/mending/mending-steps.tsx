import { Chip, Fieldset, Group } from '@mantine/core';
import { nearestLocale } from '@pdf2press/contract';
import { isRemedy, mendingOf, type Program, programs, type RemedyKey } from '@pdf2press/preflight/remedies';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { failureText } from '../client/call-error.ts';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import classes from './mending.module.css';

/** The choice of a program, and what to do there. The program is the same for all findings, and remembered. */
export function MendingSteps({ remedy }: { remedy: string }) {
  const { t } = useTranslation();
  const program = usePreferences(({ mendingProgram }) => mendingProgram);
  return (
    <>
      <Fieldset variant="unstyled" legend={t('mending.program')} className={classes.programs}>
        <Chip.Group
          value={program}
          onChange={(value) => setPreferences({ mendingProgram: programs.find((one) => one === value) ?? null })}
        >
          <Group gap={6}>
            {programs.map((one) => (
              <Chip key={one} value={one} size="sm">
                {one}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Fieldset>
      {program && isRemedy(remedy) && <Steps remedy={remedy} program={program} />}
    </>
  );
}

function Steps({ remedy, program }: { remedy: RemedyKey; program: Program }) {
  const { t, i18n } = useTranslation();
  const locale = nearestLocale(i18n.language);
  const { data, error } = useQuery({
    queryKey: ['mending', remedy, locale],
    queryFn: () => mendingOf(remedy, locale),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <p role="alert">{failureText(error, t)}</p>;
  const told = data?.[program];
  if (told === undefined) return null;
  return (
    <div className={classes.steps} role="status">
      {typeof told === 'string' ? (
        <p>
          <WithMenus text={told} />
        </p>
      ) : (
        <ol>
          {told.map((step) => (
            <li key={step}>
              <WithMenus text={step} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

/** A step with the names of menus, which stand between asterisks, in bold. */
const WithMenus = ({ text }: { text: string }) =>
  text.split('*').map((part, at) => (at % 2 === 1 ? <b key={at}>{part}</b> : part));
