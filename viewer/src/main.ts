import { App } from './app';

new App(document.getElementById('app')!);
