import path from 'node:path';
import { type HouseEnv, readHouseEnv } from '@pdf2press/engine/env';
import { repositoryRoot } from './root.ts';

/** Reads the environment as the apps do, so that a wrong value is reported once, before anything starts. @throws EnvError */
export const readStartEnv = (): HouseEnv =>
  readHouseEnv({ ...process.env, DATA_DIR: path.resolve(repositoryRoot, process.env.DATA_DIR || '.data') });
