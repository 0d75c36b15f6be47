import { createContext } from 'react';

/** The stored cloud storage of a form, as far as its folders can be listed: connected, and of the service that is chosen. */
export const CloudAccount = createContext<{ id: string | undefined }>({ id: undefined });
