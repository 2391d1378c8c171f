import { Agent } from 'undici';

export = Agent;
