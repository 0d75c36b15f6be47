import type { CloudProvider, MailService } from '@pdf2press/contract';
import type { CloudApp } from '../source.ts';

/** Where mailboxes are for a Graph that is not the public one (learn.microsoft.com/exchange/clients-and-mobile-in-exchange-online). */
const sovereignMail: Readonly<Record<string, string>> = {
  'https://graph.microsoft.us': 'https://outlook.office365.us',
  'https://dod-graph.microsoft.us': 'https://outlook-dod.office365.us',
  'https://microsoftgraph.chinacloudapi.cn': 'https://partner.outlook.cn',
};

interface Service {
  /** The service that the installation is registered at; it is the same one for files and mails. */
  provider: CloudProvider;
  /** What is asked for: mails first, then whose they are. */
  scopes: (app: CloudApp) => readonly string[];
}

/** The services that mailboxes sign in at (developers.google.com/workspace/gmail/imap/xoauth2-protocol). */
const services: Readonly<Record<MailService, Service>> = {
  Google: { provider: 'GoogleDrive', scopes: () => ['https://mail.google.com/', 'openid', 'email'] },
  Microsoft: {
    provider: 'OneDrive',
    scopes: ({ endpoint = '' }) => [
      `${sovereignMail[endpoint] ?? 'https://outlook.office.com'}/IMAP.AccessAsUser.All`,
      ...['openid', 'email', 'profile', 'offline_access'],
    ],
  },
};

export const mailProvider = (service: MailService): CloudProvider => services[service].provider;

/** The scopes that a mailbox needs, the one without which nothing can be done first. */
export const mailScopes = (service: MailService, app: CloudApp): readonly string[] => services[service].scopes(app);
