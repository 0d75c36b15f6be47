import { type PasswordSettings, passwordFaults } from '@pdf2press/contract';
import { authRoutes } from '@pdf2press/contract/calls';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../client/queries.ts';
import classes from './account.module.css';

/** The server’s policy; the default policy until it answers. */
export function usePasswordPolicy(): PasswordSettings {
  const { data } = useCall(authRoutes.passwordPolicy, undefined, { staleTime: 300_000 });
  return data
    ? { useDefaultSettings: false, ...data }
    : {
        useDefaultSettings: true,
        requireDigit: true,
        requireLowercase: true,
        requireUppercase: true,
        requireNonAlphanumeric: true,
        requiredLength: 6,
      };
}

/** The policy as a checklist that updates while typing. */
export function PasswordRules({ password, policy }: { password: string; policy: PasswordSettings }) {
  const { t } = useTranslation();
  const wanted = passwordFaults('', policy);
  const open = new Set(passwordFaults(password, policy).map((fault) => fault.code));
  return (
    <ul className={classes.rules} aria-label={t('account.passwordRules')}>
      {wanted.map(({ code, params }) => {
        const isMet = !open.has(code);
        return (
          <li key={code} data-met={isMet || undefined}>
            {isMet ? (
              <IconCircleCheckFilled size={16} aria-label={t('account.ruleMet')} />
            ) : (
              <IconCircle size={16} aria-label={t('account.ruleOpen')} />
            )}
            {t(code, params ?? {})}
          </li>
        );
      })}
    </ul>
  );
}
