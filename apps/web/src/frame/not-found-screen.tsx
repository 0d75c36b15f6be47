import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { Screen } from './screen.tsx';

/** The page for unknown addresses. If the address contains an error code of the contract, its sentence is the title. */
export function NotFoundScreen() {
  const { t, i18n } = useTranslation();
  const { error } = useParams();
  const title = error && i18n.exists(error) ? t(error) : t('state.notFoundTitle');
  return <Screen title={title} state={{ kind: 'notFound' }} />;
}
