import { mailboxRoutes } from '@pdf2press/contract/calls';
import { ConsentCallback } from '../cloud-storage/cloud-callback-screen.tsx';

export const EmailCallbackScreen = () => (
  <ConsentCallback routes={mailboxRoutes} path="/email" title="title.email-callback" back="mailbox.back" />
);
