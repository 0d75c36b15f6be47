import { useTranslation } from 'react-i18next';

/** What the words of the product's own choices are called: levels, statuses, kinds of step. */
export function useOptionWords(): (option: string) => string {
  const { t, i18n } = useTranslation();
  return (option) => {
    const known = [`trial.level.${option}`, `status.${option}`, `step.${option}`].find((key) => i18n.exists(key));
    return known ? t(known) : option;
  };
}
