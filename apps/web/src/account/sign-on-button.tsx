import { Button, Divider } from '@mantine/core';
import { singleSignOnRoutes } from '@pdf2press/contract/calls';
import { IconKey } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { useCall } from '../client/queries.ts';
import { keepForReturn } from './sign-on-trip.ts';

interface Props {
  /** The query of the sign-in page: it names the company, where the installation has several. */
  search: URLSearchParams;
  onError: (error: Error) => void;
}

/** Leads to the service where the company keeps its people; nothing where there is none. */
export function SignOnButton({ search, onError }: Props) {
  const { t } = useTranslation();
  const company = search.get('company') ?? undefined;
  const offer = useCall(singleSignOnRoutes.offer, { query: { company } });
  const begin = useMutation({
    mutationFn: () => call(singleSignOnRoutes.begin, { body: { company } }),
    onSuccess: ({ address }) => {
      keepForReturn(search);
      window.location.assign(address);
    },
    onError,
  });
  if (!offer.data?.isOffered) return null;
  return (
    <>
      <Divider label={t('account.or')} />
      <Button
        variant="default"
        size="md"
        leftSection={<IconKey size={18} aria-hidden />}
        loading={begin.isPending || begin.isSuccess}
        onClick={() => begin.mutate()}
      >
        {offer.data.label || t('account.otherSignIn')}
      </Button>
    </>
  );
}
